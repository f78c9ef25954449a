import type { ReviewStatus } from '../core/client.ts';
import type { TokenShape } from '../core/token-shape.ts';
import { durationOf, type Words } from './advice.ts';

/** What a value looked like, as the end of a sentence. */
export const shapeWords = {
  code: 'an authorization code of ours',
  refresh_token: 'a refresh token of ours',
  client_secret: 'a client secret of ours',
  access_token: 'an access token (a JWT)',
  blanks: 'a value with blanks or line breaks in it',
  quotes: 'a value with quotation marks around it',
  percent_encoded: 'a value that was percent-encoded once too often',
  cut_off: 'a value that was cut off',
  too_long: 'a value with something behind it that does not belong to it',
  altered: 'a value of the right form, but none that we made',
  foreign: 'nothing that we make',
} as const satisfies Record<TokenShape, string>;

const spoiltWords = {
  blanks: [
    'had blanks or line breaks in it, and would have been right without them.',
    'Trim the secret where you read it: files and environment settings often end in a line break.',
  ],
  quotes: [
    'had quotation marks around it, and would have been right without them.',
    'Remove them from the setting that holds the secret.',
  ],
  percent_encoded: [
    'was percent-encoded once too often, and would have been right otherwise.',
    'Encode it once: your HTTP client or OAuth library does it already.',
  ],
} as const;

const statusWords = {
  pending: ['is in review', 'You get an e-mail of the outcome. Until then no token is given.'],
  rejected: [
    'was not accepted by a reviewer, or was suspended',
    'Read the reason in the overview, correct the app under Edit and submit it again.',
  ],
  accepted: ['was not accepted at the time', 'It is accepted now. Send the request again.'],
} as const satisfies Record<ReviewStatus, readonly [string, string]>;

/** What was wrong with the client or its authentication. */
export const clientWords: Words<
  | 'basic_unreadable'
  | 'secret_is_client_id'
  | 'secret_is_token'
  | 'secret_spoilt'
  | 'secret_deleted'
  | 'secret_wrong'
  | 'client_not_accepted'
> = {
  basic_unreadable: () => ({
    wrong: 'The `Authorization: Basic` header could not be read.',
    toDo: 'Percent-encode client ID and secret each, join them with a colon, and encode that as base64 with its padding: `Basic base64(client_id:client_secret)`.',
  }),
  secret_is_client_id: () => ({
    wrong: 'The client secret that was sent is this app’s client ID.',
    toDo: 'Put the secret where the client ID is now. If you do not have it any more, make a new one under Secrets.',
  }),
  secret_is_token: ({ shape }) => ({
    wrong: `Instead of the client secret the request had ${shapeWords[shape]}.`,
    toDo: 'Send the secret that was shown when you made it, it begins with `lks_`. If you do not have it any more, make a new one under Secrets.',
  }),
  secret_spoilt: ({ by }) => {
    const [wrong, toDo] = spoiltWords[by];
    return { wrong: `The client secret ${wrong}`, toDo };
  },
  secret_deleted: ({ hint, secondsAgo }) => ({
    wrong: `The app sends the secret that ends in \`${hint}\`, which was deleted ${durationOf(secondsAgo)} before this request.`,
    toDo: 'Give the app one of the secrets that still stand under Secrets, or make a new one, and start it again: some instance still has the old one.',
  }),
  secret_wrong: ({ liveHints }) => ({
    wrong: `The client secret is none of this app’s.${liveHints.length > 0 ? ` Right would be the one that ends in ${liveHints.map((hint) => `\`${hint}\``).join(' or ')}.` : ' It has none that stands.'}`,
    toDo: 'Compare the last four characters with those of the secret that your app uses, and whether it is the secret of this app and of this environment. If you do not have it any more, make a new one under Secrets.',
  }),
  client_not_accepted: ({ status }) => {
    const [what, toDo] = statusWords[status];
    return { wrong: `This app ${what}. Only an accepted app may be used.`, toDo };
  },
};
