import type { RedirectUriDifference } from '../core/redirect-uri-difference.ts';
import type { VerifierFault } from '../core/verifier-fault.ts';
import { durationOf, type Words } from './advice.ts';

const differenceWords = {
  blanks: 'has blanks or line breaks around it',
  answer_added: 'is the whole address that the person came back to, with the answer’s parameters behind it',
  case: 'differs in capital and small letters alone',
  trailing_slash: 'differs in a slash at the end alone',
  percent_encoding: 'differs in percent-encoding alone',
  scheme: 'differs in its scheme alone, as http and https do',
  port: 'differs in its port alone',
  host: 'differs in its host alone',
  path: 'differs in its path alone',
  query: 'differs in its query alone',
  fragment: 'differs in the part behind # alone',
  several: 'is another address',
} as const satisfies Record<RedirectUriDifference, string>;

const startAgain =
  'Send the person to the authorization page again for a new code: this one cannot be used any more.';

const mixedUp =
  'Keep the verifier of each authorization request apart, by its `state` for example. A second tab or a reload that makes a new verifier often overwrites the first.';

/** What was wrong with the verifier, and what to do. */
const verifierWords = {
  is_challenge: [
    'is the challenge itself.',
    'Send the verifier: the random text from which `code_challenge` was made.',
  ],
  is_hash_of_challenge: [
    'is the hash of the challenge.',
    'Send the verifier as it is. Only the challenge is a hash, and we do the comparing.',
  ],
  padded: [
    'ends in `=`: it looks padded, and a verifier has no padding.',
    'Encode as base64url without padding, before you make the challenge of it.',
  ],
  base64: [
    'has `+` or `/` in it, or blanks that were `+`: it looks like base64, and must be base64url.',
    'Use `-` and `_` instead of `+` and `/`, and no padding, before you make the challenge of it.',
  ],
  blanks: [
    'has blanks or line breaks around it.',
    'Trim it, before you make the challenge of it and when you send it.',
  ],
  percent_encoded: [
    'was percent-encoded once too often.',
    'Encode it once: your HTTP client or OAuth library does it already.',
  ],
  too_short: ['is shorter than 43 characters.', 'Make it of 32 random bytes, as base64url.'],
  too_long: ['is longer than 128 characters.', 'Make it of 32 random bytes, as base64url.'],
  forbidden_characters: [
    'has characters that a verifier must not have.',
    'Use letters, digits and `-` `.` `_` `~` alone. 32 random bytes as base64url are right.',
  ],
  challenge_hashed_twice: [
    'is right, but the challenge was hashed twice.',
    'Make `code_challenge` of it with one SHA-256: base64url(SHA-256(verifier)).',
  ],
  challenge_of_line: [
    'is right, but the challenge was made of it with a line break behind it.',
    'Make the challenge without it. In a shell `echo` adds one; use `printf`.',
  ],
  another: ['is well-formed, but not the one whose challenge came with the authorization request.', mixedUp],
} as const satisfies Record<VerifierFault, readonly [wrong: string, toDo: string]>;

/** What was wrong with the code, its redirect URI or its verifier. */
export const codeWords: Words<
  | 'code_of_another_client'
  | 'code_used'
  | 'code_expired'
  | 'redirect_uri_differs'
  | 'verifier_missing'
  | 'verifier_not_asked_for'
  | 'verifier_wrong'
> = {
  code_of_another_client: () => ({
    wrong: 'The code was issued to another client.',
    toDo: 'Exchange it with the client ID with which the person was sent to the authorization page. Two environments with one database of settings are the usual reason.',
  }),
  code_used: ({ secondsAgo, revokes }) => ({
    wrong: `The code was used ${durationOf(secondsAgo)} before. A code can be used once.${revokes ? ' Because everything else was right, this was a replay, and all tokens of this permission were revoked.' : ''}`,
    toDo: `Look for what sends it twice: a handler that runs twice, a retry, or a person who reloads the page. Keep the answer of the first exchange, and redirect after it. ${startAgain}`,
  }),
  code_expired: ({ secondsAgo, lifetimeSeconds }) => ({
    wrong: `The code had expired ${durationOf(secondsAgo)} before. A code lives for ${durationOf(lifetimeSeconds)}.`,
    toDo: `Exchange the code as soon as the person comes back, before anything slow, and check that your clock does not delay it. ${startAgain}`,
  }),
  redirect_uri_differs: ({ how, asked, sent, isRegistered }) => ({
    wrong: `\`redirect_uri\` ${differenceWords[how]}: it must be the authorization request’s, character by character.${isRegistered ? ' It is one of this app’s registered addresses, but not the one that this authorization began with.' : ''}`,
    toDo: 'Send the same text in both requests, from one setting, and not the address at which your server was reached. The code was not spent: it can still be exchanged as long as it lives.',
    comparison: { sent, expected: asked },
  }),
  verifier_missing: () => ({
    wrong:
      'The request had no `code_verifier`, but needs one: a public app always does, and so does every authorization request that sent a `code_challenge`.',
    toDo: 'Send the verifier that you made the challenge of. It must outlive the way through the browser: keep it in the session until the person comes back.',
  }),
  verifier_not_asked_for: () => ({
    wrong: 'The request had a `code_verifier`, but its authorization request had no `code_challenge`.',
    toDo: 'Send `code_challenge` and `code_challenge_method=S256` to the authorization page, or leave the verifier out.',
  }),
  verifier_wrong: ({ fault, length }) => {
    const [wrong, toDo] = verifierWords[fault];
    const isOfLength = fault === 'too_short' || fault === 'too_long';
    return { wrong: `\`code_verifier\` ${wrong}${isOfLength ? ` It has ${length}.` : ''}`, toDo };
  },
};
