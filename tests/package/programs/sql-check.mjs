import { authorizationServer, issueCode, newGrant, webCryptoMac } from 'latchkey';
import { createGrantsTable, sqlStore } from 'latchkey/sql';
import { tokenStoreTests } from 'latchkey/store-test';
import { expect, redirectUri, secrets } from './world.mjs';

const issuer = 'https://id.example';
const redirectUris = [redirectUri, 'https://app.example/other'];
const secretsOfClient = [1, 2].map((number) => ({
  id: `secret-${number}`,
  hash: new Uint8Array(32).fill(number),
}));
const confidential = {
  ...{ id: 'app', type: 'confidential', status: 'accepted', scopes: 'all', requiresPkce: false },
  ...{ redirectUris, secrets: secretsOfClient },
};
const open = { ...confidential, id: 'open', type: 'public', secrets: [] };
const clients = [confidential, { ...confidential, id: 'other' }, open];
const findClient = async (id) => clients.find((client) => client.id === id);

/** What a store over this database promises, and the two races. */
export async function checkSql(query, parameter) {
  await query(createGrantsTable.replaceAll('\n', ' '), []);
  const store = sqlStore({ query, findClient, parameter });
  const world = { store, client: confidential, otherClientId: 'other', addGrant: store.add };
  const tests = tokenStoreTests(async () => world, { restarts: false });
  for (const [promise, run] of Object.entries(tests))
    await run().catch((error) => expect(false, `${promise}: ${error}`));

  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const keys = [{ ...(await crypto.subtle.exportKey('jwk', privateKey)), kid: 'key' }];
  const onFault = (fault) => console.error(fault);
  const { fetch } = await authorizationServer({
    ...{ issuer, scopes: ['notes:read'], secrets, keys, store, onFault },
  });
  const send = async (fields) => {
    const body = new URLSearchParams({ client_id: 'open', ...fields });
    const answer = await fetch(new Request(`${issuer}/token`, { method: 'POST', body }));
    return { status: answer.status, tokens: await answer.json() };
  };
  const twenty = (fields) => Promise.all(Array.from({ length: 20 }, () => send(fields)));
  const verifier = 'v'.repeat(43);
  const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const codeChallenge = btoa(String.fromCharCode(...new Uint8Array(hashed)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '');
  const approval = { clientId: 'open', userId: 'ann', redirectUri, scopes: ['notes:read'], codeChallenge };
  const grant = newGrant(approval);
  await store.add(grant);
  const code = await issueCode(grant.id, webCryptoMac(secrets, issuer));
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const exchanges = await twenty({ ...exchange, code_verifier: verifier });
  const won = exchanges.filter(({ status }) => status === 200);
  expect(won.length === 1, `${won.length} of 20 exchanges won`);
  const refreshes = await twenty({
    grant_type: 'refresh_token',
    refresh_token: won[0].tokens.refresh_token,
  });
  const successors = new Set(refreshes.map(({ tokens }) => tokens.refresh_token));
  const answered = refreshes.filter(({ status }) => status === 200).length;
  expect(answered === 20 && successors.size === 1, `${answered} answers, ${successors.size} successors`);
}
