import type { RootSecret } from '../../io/root-secret.ts';

/** The address at which whoever made a booking can look at it, move it and cancel it: the link in their mail. */
export function bookingLinkOf(uid: string, appUrl: string, rootSecret: RootSecret): string {
  return `${appUrl}${bookingPathOf(uid, rootSecret)}`;
}

/** The same without its host. */
export function bookingPathOf(uid: string, rootSecret: RootSecret): string {
  return `/booking/${uid}/${proofOf(uid, rootSecret)}`;
}

function proofOf(uid: string, rootSecret: RootSecret): string {
  return Buffer.from(rootSecret.mac('booking-link', Buffer.from(uid))).toString('base64url');
}

/** Whether a link's proof is the one of this booking. */
export function isBookingProof(uid: string, proof: string, rootSecret: RootSecret): boolean {
  const mac = Buffer.from(proof, 'base64url');
  return mac.toString('base64url') === proof && rootSecret.isMac('booking-link', Buffer.from(uid), mac);
}
