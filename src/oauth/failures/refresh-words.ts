import type { TokenKind } from '../core/explanation.ts';
import type { RevocationReason } from '../core/grant.ts';
import { durationOf, type Words } from './advice.ts';
import { shapeWords } from './client-words.ts';

const named = {
  code: 'code',
  refresh_token: 'refresh token',
} as const satisfies Record<TokenKind, string>;

const askAgain =
  'Send the person to the authorization page again, and forget the tokens that you have of this permission.';

const endedBy = {
  client: 'by your app itself, at the revocation endpoint',
  user: 'by the person, who disconnected your app',
  owner: 'by you or another owner of the app',
  admin: 'by an admin',
  code_replay: 'by us, because its code was presented a second time',
  refresh_token_theft: 'by us, because a refresh token that was spent long before was presented again',
} as const satisfies Record<RevocationReason, string>;

const isOwnFault: readonly (RevocationReason | null)[] = ['code_replay', 'refresh_token_theft'];

const keepNewest =
  'Store the refresh token of every answer in place of the one before, before you use the new access token, and let one process at a time refresh.';

/** What was wrong with the refresh token, or with the permission that a code or refresh token stands for. */
export const refreshWords: Words<
  | 'token_unreadable'
  | 'grant_gone'
  | 'team_left'
  | 'grant_revoked'
  | 'refresh_token_of_another_client'
  | 'refresh_token_overtaken'
  | 'refresh_token_too_old'
  | 'refresh_token_unused'
  | 'refresh_token_spent'
  | 'scope_too_wide'
> = {
  token_unreadable: ({ token, shape }) => ({
    wrong: `This is not a ${named[token]} of ours: the request had ${shapeWords[shape]}.`,
    toDo:
      token === 'code'
        ? 'Send the `code` parameter of the address that the person came back to, decoded once, whole, and nothing else. It begins with `lkc_`. A code of another environment does not work here.'
        : 'Send the `refresh_token` of the last answer, whole and unchanged. It begins with `lkr_`. Check that the column it is stored in is wide enough; a token of another environment does not work here.',
  }),
  grant_gone: ({ token }) => ({
    wrong: `The permission that this ${named[token]} stands for does not exist any more: its code was not exchanged within a day, or the person’s account was deleted.`,
    toDo: askAgain,
  }),
  team_left: ({ token }) => ({
    wrong: `This ${named[token]} acts for a team that the person neither owns nor administers any more.`,
    toDo: 'Ask an owner or admin of the team to allow your app.',
  }),
  grant_revoked: ({ by, secondsAgo }) => ({
    wrong: `The permission was revoked ${durationOf(secondsAgo)} before this request${by === null ? '' : `, ${endedBy[by]}`}.`,
    toDo: isOwnFault.includes(by) ? `${askAgain} So that it does not happen again: ${keepNewest}` : askAgain,
  }),
  refresh_token_of_another_client: () => ({
    wrong: 'The refresh token was issued to another client.',
    toDo: 'Refresh with the client ID with which the code was exchanged. Two environments with one database of tokens are the usual reason.',
  }),
  refresh_token_overtaken: () => ({
    wrong: 'While this request was worked on, another one spent the token further or revoked the permission.',
    toDo: `If a newer refresh token is stored, use it. ${keepNewest}`,
  }),
  refresh_token_too_old: ({ lifetimeSeconds }) => ({
    wrong: `The permission is older than ${durationOf(lifetimeSeconds)}: after that the person is asked again, however often the token was renewed.`,
    toDo: askAgain,
  }),
  refresh_token_unused: ({ lifetimeSeconds }) => ({
    wrong: `The refresh token was not used for ${durationOf(lifetimeSeconds)} or more, and has expired.`,
    toDo: `${askAgain} To keep a permission that is seldom used, refresh now and then.`,
  }),
  refresh_token_spent: ({ generationsAgo, rotatedSecondsAgo, retrySeconds }) => ({
    wrong: `The refresh token was spent: ${generationsAgo === 1 ? 'one newer token has' : `${generationsAgo} newer tokens have`} followed it, the last ${durationOf(rotatedSecondsAgo)} before. Only the token before the newest may be sent again, within ${durationOf(retrySeconds)}. This is what a stolen token looks like, so the permission was revoked.`,
    toDo: `${keepNewest} ${askAgain}`,
  }),
  scope_too_wide: ({ granted, tooMuch, hasUnknown }) => ({
    wrong: `\`scope\` asks for more than the person allowed.${tooMuch.length > 0 ? ` Not allowed: ${codes(tooMuch)}.` : ''}${hasUnknown ? ' It has at least one name that is no scope; names are written in capital letters.' : ''}`,
    toDo: `Leave \`scope\` out to keep what was allowed, or ask for less: ${codes(granted)}. For more, send the person to the authorization page again. The token was not spent.`,
  }),
};

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
