import type { Secrets } from '../../platform/secrets.ts';

const purpose = 'invitation';
const idBytes = 16;

/**
 * What the link of an invitation ends with: base64url(id ‖ MAC), so that nobody finds one by
 * guessing, nor in the database.
 */
export function mintInvitationToken(id: string, secrets: Secrets): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, secrets.mac(purpose, bytes)]).toString('base64url');
}

/** The id of the invitation whose link this is; undefined for anything that we did not make. */
export function readInvitationToken(token: string, secrets: Secrets): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.toString('base64url') !== token) return undefined;
  const id = bytes.subarray(0, idBytes);
  if (id.length < idBytes || !secrets.isMac(purpose, id, bytes.subarray(idBytes))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
