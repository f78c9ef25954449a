import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { type Client, type ClientType, hashClientSecret } from '../../src/oauth/core/client.ts';
import { issueCode } from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import { createTokenHandler, openIssuer } from '../../src/oauth/http/fetch.ts';
import {
  buildActiveGrant,
  buildClient,
  buildIssuedGrant,
  challenge,
  noon,
  secondsAfter,
  verifier,
} from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';
import { codeFaults, type Draft, formType, pairsOf, refreshFaults } from './token-faults.ts';

const url = 'https://auth.example/oauth';
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { ...(await exportJWK(privateKey)), kid: 'key' };
const opened = await openIssuer({
  issuer: url,
  scopes: scopeNames,
  secrets: ['a-secret-of-this-test-32-bytes-ok'],
  keys: [key],
});
const { mac } = opened.issuer;
const hash = await hashClientSecret('secret', webCryptoHash);

interface ValueDraft extends Draft {
  send(): Promise<Response>;
}

/** A draft to the token endpoint of the package, whose store holds one client and one grant. */
function draftOf(given: Client, grant: Grant, fields: Readonly<Record<string, string>>): ValueDraft {
  let [client, now] = [given, noon];
  const secrets = client.type === 'public' ? [] : [{ id: 'secret-1', hash }];
  const draft: ValueDraft = {
    form: new URLSearchParams({
      client_id: client.id,
      ...(client.type === 'public' ? {} : { client_secret: 'secret' }),
      ...fields,
    }),
    contentType: formType,
    setStatus: (status) => {
      client = { ...client, status };
    },
    advance: (seconds) => {
      now = secondsAfter(now, seconds);
    },
    send: () => {
      const headers = { 'content-type': draft.contentType };
      return handle(new Request(`${url}/token`, { method: 'POST', headers, body: draft.form.toString() }));
    },
  };
  const handle = createTokenHandler({
    ...opened,
    now: () => now,
    onFault: (fault) => {
      throw fault;
    },
    store: {
      find: async (clientId, grantId) => ({
        client: clientId === client.id ? { ...client, secrets } : undefined,
        grant: grantId === grant.id ? grant : undefined,
      }),
      redeem: async () => true,
      advance: async () => true,
      revoke: async () => {},
    },
  });
  return draft;
}

async function draftExchange(type: ClientType): Promise<ValueDraft> {
  const client = buildClient(type);
  const grant = buildIssuedGrant(client, { codeChallenge: challenge });
  return draftOf(client, grant, {
    grant_type: 'authorization_code',
    code: await issueCode(grant.id, mac),
    redirect_uri: grant.redirectUri,
    code_verifier: verifier,
  });
}

async function draftRefresh(type: ClientType): Promise<ValueDraft> {
  const client = buildClient(type);
  const grant = buildActiveGrant(client);
  const refreshToken = await issueRefreshToken({ grantId: grant.id, generation: 1 }, mac);
  return draftOf(client, grant, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

describe.each(['confidential', 'public'] as const)('a %s client', (type) => {
  describe.each([
    ['an exchange', pairsOf(codeFaults, type), draftExchange],
    ['a refresh', pairsOf(refreshFaults, type), draftRefresh],
  ] as const)('%s', (_name, pairs, draftRight) => {
    test('without a fault is answered with tokens', async () => {
      const draft = await draftRight(type);

      expect((await draft.send()).status).toBe(200);
    });

    test.each(pairs)('with $earlier and $later hears of $earlier (contract §4)', async ({ faults }) => {
      const [earlier, later] = faults;
      const draft = await draftRight(type);
      await later.spoil(draft);
      await earlier.spoil(draft);

      const refused = await draft.send();

      const { error, error_description: description } = await refused.json();
      expect([refused.status, error, description]).toEqual(earlier.answer);
    });
  });
});
