import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { grants } from '../../src/oauth/tables.ts';
import { createDpopKey, proofFor } from '../support/dpop.ts';
import { holdRow } from '../support/held.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { grantIdOf, issueCode, issueTokens, refreshFields } from '../support/tokens.ts';
import { addClient, requestToken, type Tokens } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const key = createDpopKey();
const stranger = createDpopKey();
const client = await addClient(service, { type: 'public' });

async function connect(): Promise<Tokens> {
  const headers = { dpop: await proofFor(service, key, {}) };
  return (await requestToken(service, await issueCode(service, client), { headers })).json();
}

const refresh = (at: TestService, token: string, dpop?: string) =>
  requestToken(at, refreshFields(client, token), { headers: dpop === undefined ? {} : { dpop } });

test('two refreshes at once with the same proof, at two instances, give one successor: a request sent twice is a retry (security C12, ADR 14)', async () => {
  const { refresh_token: token } = await connect();
  const proof = await proofFor(service, key, {});

  const answers = await Promise.all([
    refresh(service, token, proof),
    refresh(another, token, proof),
    refresh(service, token, proof),
  ]);

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(new Set(answers.map((answer) => answer.json().refresh_token)).size).toBe(1);
});

describe('a grant that two requests find unbound', () => {
  test.each([
    ['another key', stranger],
    ['no key', undefined],
  ])('is bound by the first, and the other, with %s, gets nothing (RFC 9449 §5)', async (_name, second) => {
    const tokens = await issueTokens(service, client);
    const held = await holdRow(service, 'grants', grantIdOf(tokens));
    const proofs = [
      await proofFor(service, key, {}),
      second && (await proofFor(service, second, {})),
    ] as const;

    const first = refresh(service, tokens.refresh_token, proofs[0]);
    await held.untilWaiting(1);
    const late = refresh(another, tokens.refresh_token, proofs[1]);
    await held.untilWaiting(2);
    await held.release();

    expect((await first).json()).toMatchObject({ token_type: 'DPoP' });
    expect((await late).json()).toMatchObject({ error_description: 'invalid_refresh_token' });
    const [row] = await service.database.db
      .select()
      .from(grants)
      .where(eq(grants.id, grantIdOf(tokens)));
    expect(row).toMatchObject({ generation: 2, dpopJkt: key.jkt });
  });
});

describe('a replayed proof', async () => {
  const { access_token: accessToken } = await connect();
  const send = async (at: TestService, method: 'GET' | 'POST', dpop: string) =>
    at.app.inject({
      method,
      url: method === 'GET' ? '/v2/me' : '/v2/schedules',
      headers: { authorization: `DPoP ${accessToken}`, dpop, 'content-type': 'application/json' },
      ...(method === 'GET'
        ? {}
        : { payload: JSON.stringify({ name: randomUUID(), timeZone: 'Europe/Rome', isDefault: false }) }),
    });

  test('of a change works once in all instances together, however many come at once (RFC 9449 §11.1)', {
    tags: 'parts',
  }, async () => {
    const proof = await proofFor(service, key, { path: '/v2/schedules', accessToken });

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => send(index % 2 === 0 ? service : another, 'POST', proof)),
    );

    const statuses = answers.map(({ statusCode }) => statusCode).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 401)]);
  });

  test('of a read works once in each instance, until its nonce is over (ADR 14)', async () => {
    const proof = await proofFor(service, key, { method: 'GET', path: '/v2/me', accessToken });

    const answers = await Promise.all(
      [service, another, service, another].map((at) => send(at, 'GET', proof)),
    );
    service.clock.advance(120);
    const late = await send(another, 'GET', proof);

    // Either of the two at an instance may be first.
    const [first, second, third, fourth] = answers.map(({ statusCode }) => statusCode);
    expect([[first, third].toSorted(), [second, fourth].toSorted()]).toEqual([
      [200, 401],
      [200, 401],
    ]);
    expect(late.headers['www-authenticate']).toContain('use_dpop_nonce');
  });
});
