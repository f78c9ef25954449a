import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { generateSdk, schemaFile, writeTypes } from '../../clients/typescript/generate.ts';
import {
  AccessEnded,
  AuthorizationFailed,
  createLatchkey,
  finishAuthorization,
  startAuthorization,
  type Tokens,
} from '../../clients/typescript/src/index.ts';
import { addEventType } from '../support/booking.ts';
import { fetchDocument } from '../support/document.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser, connect, obtainCode, signIn } from '../support/world.ts';

const service = await openTestSite();
const { appUrl: baseUrl, app } = service;
const user = await addUser(service);
const client = await addClient(service);
const eventTypeId = (await addEventType(service, user)).id;
const attendee = { name: 'Bob Jones', email: 'bob@example.com', timeZone: 'Europe/Rome' };
let day = 7;
const nextStart = () => `2027-06-${String(day++).padStart(2, '0')}T09:00:00Z`;

async function tokensOf(): Promise<Tokens> {
  const issued = await connect(service, client, await signIn(service, user));
  const [accessToken, refreshToken] = [issued.access_token, issued.refresh_token];
  return { accessToken, refreshToken, expiresAt: Date.now() + 1_800_000 };
}

const credentials = { baseUrl, clientId: client.id, clientSecret: client.secret ?? '' };

describe('the client in TypeScript (clients/typescript)', () => {
  test('is what clients/typescript/generate.ts writes of the API as it is', async () => {
    const written = await writeTypes(await fetchDocument(app));

    expect(await readFile(schemaFile, 'utf8')).toBe(written);
  });

  test('sends a user to the consent page, and exchanges the code that comes back', async () => {
    const options = { ...credentials, redirectUri: client.redirectUri };
    const authorization = await startAuthorization(options);
    const cookie = await signIn(service, user);
    const parameters = Object.fromEntries(new URL(authorization.url).searchParams);
    const code = await obtainCode(service, cookie, client, { parameters });
    const cameBackTo = (changes: object) => {
      const answer = { code, state: authorization.state, iss: baseUrl, ...changes };
      return `${client.redirectUri}?${new URLSearchParams(answer)}`;
    };

    for (const wrong of [{ state: 'another' }, { iss: 'https://other.example' }])
      await expect(finishAuthorization(options, authorization, cameBackTo(wrong))).rejects.toThrow(
        AuthorizationFailed,
      );
    const tokens = await finishAuthorization(options, authorization, cameBackTo({}));

    expect(new URL(authorization.url).pathname).toBe('/auth/oauth2/authorize');
    const latchkey = createLatchkey({ ...credentials, tokens });
    expect((await latchkey.GET('/v2/me')).data?.data.id).toBe(user.id);
  });

  test('books and cancels', async () => {
    const latchkey = createLatchkey({ ...credentials, tokens: await tokensOf() });

    const body = { eventTypeId, start: nextStart(), attendee };
    const { data } = await latchkey.POST('/v2/bookings', { body });
    const uid = data?.data.uid ?? '';
    const path = { uid };
    const cancelled = await latchkey.POST('/v2/bookings/{uid}/cancel', { params: { path }, body: {} });

    expect(cancelled.data?.data).toMatchObject({ uid, status: 'cancelled' });
    const refused = await latchkey.POST('/v2/bookings', { body: { ...body, start: 'soon' } });
    expect(refused.error?.error).toMatchObject({ code: 'BadRequest', details: { start: expect.anything() } });
  });

  test('refreshes once for requests that come together, and hands over the tokens first', async () => {
    const handedOver: Tokens[] = [];
    const tokens = { ...(await tokensOf()), expiresAt: 0 };
    const onTokens = (next: Tokens) => void handedOver.push(next);
    const latchkey = createLatchkey({ ...credentials, tokens, onTokens });

    const answers = await Promise.all([1, 2, 3].map(() => latchkey.GET('/v2/me')));

    expect(answers.map(({ data }) => data?.data.id)).toEqual([user.id, user.id, user.id]);
    expect(handedOver).toHaveLength(1);
    expect(handedOver[0]?.refreshToken).not.toBe(tokens.refreshToken);
  });

  test('refreshes after a 401, and says when access has ended', async () => {
    const tokens = { ...(await tokensOf()), accessToken: 'x' };
    const latchkey = createLatchkey({ ...credentials, tokens });
    expect((await latchkey.GET('/v2/me')).data?.data.id).toBe(user.id);

    const ended = createLatchkey({ ...credentials, tokens: { ...tokens, refreshToken: 'x' } });
    await expect(ended.GET('/v2/me')).rejects.toThrow(AccessEnded);
  });

  /** Answers in turn; then the service does. */
  function failing(...outcomes: readonly (number | 'lost')[]) {
    const left = [...outcomes];
    const keys: (string | null)[] = [];
    const send = async (input: string | URL | Request): Promise<Response> => {
      const request = new Request(input);
      keys.push(request.headers.get('idempotency-key'));
      const outcome = left.shift();
      const headers = { 'retry-after': '0' };
      if (typeof outcome === 'number') return Response.json({}, { status: outcome, headers });
      const response = await fetch(request);
      if (outcome === 'lost') throw new TypeError('fetch failed');
      return response;
    };
    return { keys, latchkey: createLatchkey({ ...credentials, fetch: send }) };
  }

  test('a booking whose response is lost is booked once', { timeout: 20_000 }, async () => {
    const { keys, latchkey } = failing(503, 429, 'lost');

    const body = { eventTypeId, start: nextStart(), attendee };
    const { response, data } = await latchkey.POST('/v2/bookings', { body });

    expect([response.status, data?.data.start]).toEqual([201, new Date(body.start).toISOString()]);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(4);
  });

  test('it stops after three retries, and never repeats what may have happened', async () => {
    const down = failing(503, 503, 503, 503, 503);
    const query = { eventTypeId, start: '2027-06-01', end: '2027-06-02' };
    expect((await down.latchkey.GET('/v2/slots', { params: { query } })).response.status).toBe(503);
    expect(down.keys).toHaveLength(4);

    const reserving = failing(503);
    const body = { eventTypeId, slotStart: nextStart() };
    expect((await reserving.latchkey.POST('/v2/slots/reservations', { body })).response.status).toBe(503);
    expect(reserving.keys).toHaveLength(1);
  });
});

test('hey-api generates a client from the document that books and cancels (contract §7)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sdk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await generateSdk(await fetchDocument(app), folder);
  const { createBooking, cancelBooking } = await import(join(folder, 'sdk.gen.ts'));
  const { client: sdk } = await import(join(folder, 'client.gen.ts'));
  sdk.setConfig({ baseUrl, auth: (await tokensOf()).accessToken });

  const { data } = await createBooking({ body: { eventTypeId, start: nextStart(), attendee } });
  const cancelled = await cancelBooking({ path: { uid: data.data.uid }, body: {} });

  expect(cancelled.data).toMatchObject({ status: 'success', data: { status: 'cancelled' } });
});
