import type { Email } from '../../platform/mail/email.ts';
import type { GroupRef } from '../members/group.ts';
import { invitationDays } from './rules.ts';

/** To whoever was invited, with an account or without, with the link that lets its holder in. */
export function invitationEmail(
  kind: GroupRef['kind'],
  groupName: string,
  inviterName: string,
  address: string,
): Email {
  return {
    subject: `${inviterName} invites you to ${groupName}`,
    blocks: [
      { kind: 'text', text: `${inviterName} invites you to the ${kind} ${groupName} on Latchkey.` },
      { kind: 'private_link', words: 'Look at the invitation', address },
      {
        kind: 'text',
        text: `The link works once, for ${invitationDays} days. Whoever has it can use it, so please do not pass it on. If you do not want to join, you need not do anything.`,
      },
    ],
    footer: `You get this email because somebody invited you on Latchkey. If you do not know who it is, you need not do anything.`,
  };
}
