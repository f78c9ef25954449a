import type { TokenField } from '../core/explanation.ts';
import type { Words } from './advice.ts';

const whatFieldIs = {
  client_id: 'It is this app’s client ID, from the overview.',
  client_secret: 'A confidential app authenticates with its secret in `client_secret`, or by HTTP Basic.',
  grant_type: 'It is `authorization_code` to exchange a code, or `refresh_token` to refresh.',
  code: 'It is the `code` parameter of the address that the person came back to.',
  redirect_uri: 'It is the same address that the authorization request had, character by character.',
  code_verifier: 'It is the text whose hash went into `code_challenge`.',
  refresh_token: 'It is the `refresh_token` of the last answer that you got.',
  scope: 'It may be left out.',
} as const satisfies Record<TokenField, string>;

const inBody =
  'Send every field in the body, as `application/x-www-form-urlencoded` or `application/json`, and none in the address: addresses end up in logs.';

/** What was wrong with the request itself. */
export const requestWords: Words<
  | 'field_missing'
  | 'body_missing'
  | 'body_refused'
  | 'grant_type_unknown'
  | 'two_authentications'
  | 'two_clients'
  | 'secrets_flooded'
  | 'grant_flooded'
  | 'our_fault'
> = {
  field_missing: ({ field, isInQuery }) =>
    isInQuery
      ? {
          wrong: `\`${field}\` stood in the address of the request, behind the question mark, and not in its body.`,
          toDo: inBody,
        }
      : {
          wrong: `The body had no \`${field}\`, or an empty one.`,
          toDo: `Add it. ${whatFieldIs[field]} Field names are written in small letters with underscores.`,
        },
  body_missing: () => ({
    wrong:
      'The request had no body that can be read: its fields stood in the address, behind the question mark.',
    toDo: inBody,
  }),
  body_refused: () => ({
    wrong: 'The body could not be read; the error above says why.',
    toDo: 'Send one form or one JSON object in UTF-8, each field once, and every value as a text.',
  }),
  grant_type_unknown: ({ value, meant }) => ({
    wrong:
      value === undefined
        ? '`grant_type` had a value that the token endpoint does not know.'
        : `\`grant_type\` was \`${value}\`, which the token endpoint does not know.`,
    toDo:
      meant === undefined
        ? 'Send `authorization_code` to exchange a code, or `refresh_token` to refresh. There are no other kinds of grants here.'
        : `Send \`${meant}\`, written just like this.`,
  }),
  two_authentications: () => ({
    wrong: 'The app authenticated in two ways at once: by an `Authorization: Basic` header and in the body.',
    toDo: 'Use one of them. Many HTTP clients and OAuth libraries send the header by themselves; then leave `client_secret` out of the body.',
  }),
  two_clients: () => ({
    wrong: 'The `Authorization: Basic` header named another client ID than `client_id` in the body.',
    toDo: 'Send the same client ID in both, or leave it out of the body.',
  }),
  secrets_flooded: () => ({
    wrong: 'Too many requests with a wrong secret came for this app within a minute.',
    toDo: 'Wait a minute, and look at the failures before this one: they say what is wrong with the secret. Requests with the right secret are let through all the while.',
  }),
  grant_flooded: () => ({
    wrong: 'Too many requests came for the same permission within a minute.',
    toDo: 'Use an access token until it expires, 30 minutes long, and refresh then. A loop that refreshes at every call is the usual reason.',
  }),
  our_fault: ({ isPassing }) => ({
    wrong: isPassing
      ? 'Nothing: our database was away for a moment.'
      : 'Nothing that we can see: something went wrong on our side.',
    toDo: 'Send the same request again. A code or refresh token whose request failed like this can still be used.',
  }),
};
