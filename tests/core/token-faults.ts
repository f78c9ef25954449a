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

const requestFaults: readonly Fault[] = [
  {
    name: 'a wrong content type',
    part: 'body',
    answer: [415, 'invalid_request', plainSentence],
    spoil: (draft) => {
      draft.contentType = 'text/plain';
    },
  },
  {
    name: 'JSON that is called a form',
    isVariant: true,
    part: 'body',
    answer: [415, 'invalid_request', plainSentence],
    spoil: ({ form }) => {
      const json = JSON.stringify(Object.fromEntries(form));
      for (const name of [...form.keys()]) form.delete(name);
      form.set(json, '');
    },
  },
  {
    name: 'a body of more than 64 KB',
    isVariant: true,
    part: 'body',
    answer: [413, 'invalid_request', plainSentence],
    spoil: ({ form }) => form.set('padding', 'x'.repeat(64 * 1024)),
  },
  {
    name: 'a repeated field',
    isVariant: true,
    part: 'body',
    answer: [400, 'invalid_request', plainSentence],
    spoil: ({ form }) => {
      for (const side of ['left', 'right']) form.append('side', side);
    },
  },
  {
    name: 'NUL',
    isVariant: true,
    part: 'body',
    answer: [400, 'invalid_request', plainSentence],
    spoil: ({ form }) => form.set('state', '\0'),
  },
  {
    name: 'no client_id',
    part: 'client_id',
    answer: [400, 'invalid_request', 'client_id is required'],
    spoil: ({ form }) => form.delete('client_id'),
  },
  {
    name: 'no grant_type',
    part: 'grant_type',
    answer: [400, 'invalid_request', grantTypeMustBe],
    spoil: ({ form }) => form.delete('grant_type'),
  },
  {
    name: 'another grant_type',
    isVariant: true,
    part: 'grant_type',
    answer: [400, 'invalid_request', grantTypeMustBe],
    spoil: ({ form }) => form.set('grant_type', 'client_credentials'),
  },
];

const clientFaults: readonly Fault[] = [
  {
    name: 'an unknown client',
    part: 'client_id',
    answer: [401, 'invalid_client', 'client_not_found'],
    spoil: ({ form }) => form.set('client_id', 'unknown'),
  },
  {
    name: 'a wrong secret',
    part: 'client_secret',
    answer: [401, 'invalid_client', 'invalid_client_credentials'],
    only: 'confidential',
    spoil: ({ form }) => form.set('client_secret', 'wrong'),
  },
  {
    name: 'a missing secret',
    isVariant: true,
    part: 'client_secret',
    answer: [401, 'invalid_client', 'invalid_client_credentials'],
    only: 'confidential',
    spoil: ({ form }) => form.delete('client_secret'),
  },
  {
    name: 'a pending client',
    part: 'status',
    answer: [401, 'invalid_client', 'client_not_accepted'],
    spoil: (draft) => draft.setStatus('pending'),
  },
  {
    name: 'a rejected client',
    isVariant: true,
    part: 'status',
    answer: [401, 'invalid_client', 'client_not_accepted'],
    spoil: (draft) => draft.setStatus('rejected'),
  },
];

/** The faults of an exchange, in the order in which the contract checks them (§4). */
export const codeFaults: readonly Fault[] = [
  ...requestFaults,
  {
    name: 'no code',
    part: 'code',
    answer: [400, 'invalid_request', 'code is required'],
    spoil: ({ form }) => form.delete('code'),
  },
  {
    name: 'no redirect_uri',
    part: 'redirect_uri',
    answer: [400, 'invalid_request', 'redirect_uri is required'],
    spoil: ({ form }) => form.delete('redirect_uri'),
  },
  ...clientFaults,
  {
    name: 'no code_verifier',
    part: 'code_verifier',
    answer: [400, 'invalid_request', 'code_verifier is required'],
    spoil: ({ form }) => form.delete('code_verifier'),
  },
  {
    name: 'an expired code',
    part: 'time',
    answer: [400, 'invalid_grant', 'code_invalid_or_expired'],
    spoil: (draft) => draft.advance(60),
  },
  {
    name: 'another redirect_uri',
    part: 'redirect_uri',
    answer: [400, 'invalid_grant', 'redirect_uri_mismatch'],
    spoil: ({ form }) => form.set('redirect_uri', 'https://app.example/elsewhere'),
  },
  {
    name: 'another code_verifier',
    part: 'code_verifier',
    answer: [400, 'invalid_grant', 'pkce_verification_failed'],
    spoil: ({ form }) => form.set('code_verifier', 'another'.repeat(7)),
  },
];

/** The faults of a refresh, in the same order. */
export const refreshFaults: readonly Fault[] = [
  ...requestFaults,
  {
    name: 'no refresh_token',
    part: 'refresh_token',
    answer: [400, 'invalid_request', 'refresh_token is required'],
    spoil: ({ form }) => form.delete('refresh_token'),
  },
  ...clientFaults,
  {
    name: 'an unknown refresh token',
    part: 'refresh_token',
    answer: [400, 'invalid_grant', 'invalid_refresh_token'],
    spoil: ({ form }) => form.set('refresh_token', 'unknown'),
  },
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
