import { createTokenHandler, openIssuer } from 'latchkey';
import { checkCalls } from './calls.mjs';
import { createWorld, expect, issuer, secrets } from './world.mjs';

/** Throws for whatever is wrong. */
export async function check() {
  const { store, key, approve } = await createWorld();
  const opened = await openIssuer({ issuer, scopes: ['PROFILE_READ'], secrets, keys: [key] });
  const faults = [];
  const handle = createTokenHandler({ ...opened, store, onFault: (fault) => faults.push(fault) });
  const send = async (path, method, headers, body) => {
    const answer = await handle(new Request(`${issuer}${path}`, { method, headers, body }));
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) };
  };
  await checkCalls(send, approve);
  const atIssuer = 'https://id.example/.well-known/oauth-authorization-server/oauth';
  expect((await handle(new Request(atIssuer))).status === 200, 'metadata where RFC 8414 has it');
  expect((await send('/other', 'GET', {})).status === 404, 'another address');
  expect(faults.length === 0, `faults: ${faults}`);

  const failing = { ...store, find: () => Promise.reject(new Error('away')) };
  const broken = createTokenHandler({
    ...{ ...opened, store: failing, onFault: (fault) => faults.push(fault) },
    isAway: ({ message }) => message === 'away',
  });
  const fields = { grant_type: 'refresh_token', refresh_token: 'a', client_id: 'app' };
  const request = { method: 'POST', body: new URLSearchParams(fields) };
  const answer = await broken(new Request(`${issuer}/token`, request));
  expect(answer.status === 503 && answer.headers.get('retry-after') === '5', 'a store that is away');
  expect(faults.length === 1, 'what was thrown is told');
}
