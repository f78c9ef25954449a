import { expect } from 'vitest';
import type { Client, ClientType } from '../../src/oauth/core/client.ts';

/** A right request that faults are put into, and what they change around it. */
export interface Draft {
  readonly form: URLSearchParams;
  contentType: string;
  setStatus(status: Client['status']): void | Promise<void>;
  advance(seconds: number): void;
}

/**
 * A row of the contract's table: what to spoil, and the answer. Two faults of one part cannot be
 * had at the same time.
 */
export interface Fault {
  readonly name: string;
  readonly part: string;
  readonly answer: readonly [status: number, error: string, description: string];
  /** Another form of a row that stands here already. */
  readonly isVariant?: boolean;
  readonly only?: ClientType;
  readonly spoil: (draft: Draft) => void | Promise<void>;
}

export const formType = 'application/x-www-form-urlencoded';
const plainSentence = expect.stringMatching(/^[a-z][^_{}]+$/);
const grantTypeMustBe = "grant_type must be 'authorization_code' or 'refresh_token'";

type Answer = Fault['answer'];
type Spoil = Fault['spoil'];

const fault = (
  name: string,
  part: string,
  answer: Answer,
  spoil: Spoil,
  more: Pick<Fault, 'isVariant' | 'only'> = {},
): Fault => ({ name, part, answer, spoil, ...more });

const without =
  (field: string): Spoil =>
  ({ form }) =>
    form.delete(field);
const sending =
  (field: string, value: string): Spoil =>
  ({ form }) =>
    form.set(field, value);

const isVariant = true;
const only = 'confidential';
const missing = (field: string): Answer => [400, 'invalid_request', `${field} is required`];
const unreadable = (status: number): Answer => [status, 'invalid_request', plainSentence];
const badGrant = (description: string): Answer => [400, 'invalid_grant', description];
const badClient = (description: string): Answer => [401, 'invalid_client', description];
const badGrantType: Answer = [400, 'invalid_request', grantTypeMustBe];
const badSecret = badClient('invalid_client_credentials');
const notAccepted = badClient('client_not_accepted');

const callText: Spoil = (draft) => {
  draft.contentType = 'text/plain';
};
const sendJson: Spoil = ({ form }) => {
  const json = JSON.stringify(Object.fromEntries(form));
  for (const name of [...form.keys()]) form.delete(name);
  form.set(json, '');
};
const repeat: Spoil = ({ form }) => {
  for (const side of ['left', 'right']) form.append('side', side);
};
const become =
  (status: Client['status']): Spoil =>
  (draft) =>
    draft.setStatus(status);

const requestFaults: readonly Fault[] = [
  fault('a wrong content type', 'body', unreadable(415), callText),
  fault('JSON that is called a form', 'body', unreadable(415), sendJson, { isVariant }),
  fault('a body of more than 64 KB', 'body', unreadable(413), sending('padding', 'x'.repeat(64 * 1024)), {
    isVariant,
  }),
  fault('a repeated field', 'body', unreadable(400), repeat, { isVariant }),
  fault('NUL', 'body', unreadable(400), sending('state', '\0'), { isVariant }),
  fault('no client_id', 'client_id', missing('client_id'), without('client_id')),
  fault('no grant_type', 'grant_type', badGrantType, without('grant_type')),
  fault('another grant_type', 'grant_type', badGrantType, sending('grant_type', 'password'), { isVariant }),
];

const clientFaults: readonly Fault[] = [
  fault('an unknown client', 'client_id', badClient('client_not_found'), sending('client_id', 'unknown')),
  fault('a wrong secret', 'client_secret', badSecret, sending('client_secret', 'wrong'), { only }),
  fault('a missing secret', 'client_secret', badSecret, without('client_secret'), { isVariant, only }),
  fault('a pending client', 'status', notAccepted, become('pending')),
  fault('a rejected client', 'status', notAccepted, become('rejected'), { isVariant }),
];

const otherVerifier = 'another'.repeat(7);

/** The faults of an exchange, in the order in which the contract checks them (§4). */
export const codeFaults: readonly Fault[] = [
  ...requestFaults,
  fault('no code', 'code', missing('code'), without('code')),
  fault('no redirect_uri', 'redirect_uri', missing('redirect_uri'), without('redirect_uri')),
  ...clientFaults,
  fault('no code_verifier', 'code_verifier', missing('code_verifier'), without('code_verifier')),
  fault('an expired code', 'time', badGrant('code_invalid_or_expired'), (draft) => draft.advance(60)),
  fault(
    'another redirect_uri',
    'redirect_uri',
    badGrant('redirect_uri_mismatch'),
    sending('redirect_uri', 'https://x.example/'),
  ),
  fault(
    'another code_verifier',
    'code_verifier',
    badGrant('pkce_verification_failed'),
    sending('code_verifier', otherVerifier),
  ),
];

/** The faults of a refresh, in the same order. */
export const refreshFaults: readonly Fault[] = [
  ...requestFaults,
  fault('no refresh_token', 'refresh_token', missing('refresh_token'), without('refresh_token')),
  ...clientFaults,
  fault(
    'an unknown refresh token',
    'refresh_token',
    badGrant('invalid_refresh_token'),
    sending('refresh_token', 'unknown'),
  ),
];

/** Every two faults that a request can have at the same time, the earlier row first. */
export function pairsOf(faults: readonly Fault[], type: ClientType) {
  const rows = faults.filter(({ only = type, isVariant = false }) => only === type && !isVariant);
  return rows.flatMap((earlier, index) =>
    rows
      .slice(index + 1)
      .filter((later) => later.part !== earlier.part)
      .map((later) => ({ earlier: earlier.name, later: later.name, faults: [earlier, later] as const })),
  );
}
