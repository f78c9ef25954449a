import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addOwnedClient, openFailedRequests, storedFailedRequests } from '../support/failed-requests.ts';
import { sharedService } from '../support/service.ts';
import { issueCode, issueTokens, refreshFields, type TokenFields } from '../support/tokens.ts';
import { createPkce, requestToken } from '../support/world.ts';

const service = await sharedService();
const owned = await addOwnedClient(service, { scopes: ['PROFILE_READ'] });
const { client } = owned;
const exchangeFields = await issueCode(service, client, { pkce: createPkce() });
const tokens = await issueTokens(service, client);

/** What the table holds, and what its page shows. */
async function readEverything(): Promise<string> {
  const page = await openFailedRequests(service, owned);
  const rows = await service.database.db.execute(sql`select t::text as row from failed_token_requests t`);
  return `${JSON.stringify(rows)}\n${page.body}`;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const random = (length: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: length, maxLength: length });
/** Secrets, codes, tokens and verifiers, ours and others', as they come. */
const canaries = fc.oneof(
  random(70).map((text) => `lkc_${text}`),
  random(70).map((text) => `lkr_${text}`),
  random(43).map((text) => `lks_${text}`),
  random(43),
  random(43).map((text) => `${text}=`),
  fc.tuple(random(40), random(80), random(86)).map(([head, body, mac]) => `eyJ${head}.${body}.${mac}`),
);

/** The ways in which a value gets into a redirect URI by mistake. */
const redirectUris: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => `${client.redirectUri}?code=${value}&state=x`,
  (value) => `${client.redirectUri}#access_token=${value}`,
  (value) => `${client.redirectUri}?${value}`,
  (value) => encodeURIComponent(`${client.redirectUri}?code=${value}`),
  (value) => encodeURIComponent(encodeURIComponent(`${client.redirectUri}?code=${value}`)),
  (value) => `https://user:${value}@app.example/callback`,
  (value) => `${client.redirectUri}/${value}`,
  (value) => `https://${value}.example/callback`,
  (value) => `${client.redirectUri}?a=1;code=${value}`,
  (value) => ` ${value} `,
];

/** A canary in a field of a request that would be right without it. */
const requests = fc
  .tuple(
    canaries,
    fc.constantFrom(
      'client_secret',
      'grant_type',
      'code',
      'redirect_uri',
      'code_verifier',
      'refresh_token',
      'scope',
    ),
    fc.constantFrom<TokenFields>(exchangeFields, refreshFields(client, tokens.refresh_token)),
    fc.constantFrom(...redirectUris),
  )
  .map(([canary, field, right, place]) => ({
    canary,
    fields: { ...right, [field]: field === 'redirect_uri' ? place(canary) : canary },
  }));

test('no secret, code, token or verifier is kept or shown, in whatever field it comes (contract §4, security C25)', async () => {
  const sent: string[] = [];
  await fc.assert(
    fc.asyncProperty(requests, async ({ canary, fields }) => {
      sent.push(canary);
      await requestToken(service, fields);
      service.clock.advance(4);
      if (sent.length % 20 === 0) {
        const everything = await readEverything();
        expect(sent.filter((one) => everything.includes(one.slice(4, 24)))).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );

  expect(await storedFailedRequests(service, client)).not.toEqual([]);
});

test('a value of the same request is not kept when it stands in the redirect URI, even a short one', async () => {
  const right = await issueCode(service, client, { pkce: createPkce() });
  const secret = String(client.secret);
  const redirectUri = `${client.redirectUri}/${right['code_verifier']}/${encodeURIComponent(secret)}/${right['code']}`;

  const answer = await requestToken(service, { ...right, redirect_uri: redirectUri });

  expect(answer.json()).toMatchObject({ error_description: 'redirect_uri_mismatch' });
  const everything = await readEverything();
  for (const value of [right['code_verifier'], secret, right['code']])
    expect(everything).not.toContain(value);
  expect(everything).toContain(answer.headers['x-request-id']);
});

test('secrets in the address of the request are not kept', async () => {
  const answer = await service.app.inject({
    method: 'POST',
    url: `/v2/auth/oauth2/token?client_id=${client.id}&client_secret=canary-4711&code=canary-4712&canary-4713=1`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });

  expect(answer.statusCode).toBe(400);
  const everything = await readEverything();
  expect(everything).toContain(answer.headers['x-request-id']);
  expect(everything).not.toContain('canary-47');
});
