import { expect, test } from 'vitest';
import {
  type ExplainedFailure,
  exchange,
  expectExplained,
  type Fail,
} from '../support/explained-failures.ts';
import { addOwnedClient, readFailures } from '../support/failures.ts';
import { openTestService } from '../support/service.ts';
import { issueCode } from '../support/tokens.ts';
import { createPkce, requestToken } from '../support/world.ts';

const service = await openTestService();

/** An exchange with PKCE whose verifier is made of the right one and its challenge. */
const verify =
  (spoil: (verifier: string, challenge: string) => string): Fail =>
  async (_service, client) => {
    const pkce = createPkce();
    const request = await issueCode(service, client, { pkce });
    return requestToken(service, { ...request, code_verifier: spoil(pkce.verifier, pkce.challenge) });
  };

const sha256 = async (text: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64url');

const base64 = 'ab+cd/'.repeat(8);
const verifierRows: readonly ExplainedFailure[] = [
  {
    name: 'no verifier',
    fail: verify(() => ''),
    error: 'code_verifier is required',
    wrong: /had no code_verifier/,
    toDo: /keep it in the session/,
  },
  ...(
    [
      ['the challenge', (_verifier, challenge) => challenge, /is the challenge itself/],
      ['padded', (verifier) => `${verifier}=`, /looks padded/],
      ['base64', () => base64, /looks like base64, and must be base64url/],
      ['with blanks', (verifier) => `${verifier} `, /blanks or line breaks around/],
      ['encoded twice', (verifier) => `${verifier}%3D`, /percent-encoded once too often/],
      ['too short', () => 'short', /shorter than 43 characters. It has 5/],
      ['too long', () => 'x'.repeat(129), /longer than 128 characters. It has 129/],
      ['with strange characters', () => `${'x'.repeat(43)}ü`, /characters that a verifier must not have/],
      ['of another request', () => createPkce().verifier, /well-formed, but not the one/],
    ] as const satisfies readonly (readonly [
      string,
      (verifier: string, challenge: string) => string,
      RegExp,
    ])[]
  ).map(
    ([name, spoil, wrong]): ExplainedFailure => ({
      name: `a verifier, ${name}`,
      fail: verify(spoil),
      error: 'pkce_verification_failed',
      wrong,
      toDo: /.+/,
    }),
  ),
];

test.each(verifierRows)(
  'a public client’s exchange failed with $name: its owner reads why (contract §4)',
  (row) => expectExplained(service, row, 'public'),
);

test.each([
  ['was hashed twice', async (verifier: string) => sha256(await sha256(verifier)), /was hashed twice/],
  ['was made of a line', (verifier: string) => sha256(`${verifier}\n`), /a line break behind it/],
] as const)('a public client’s exchange failed when its challenge %s', async (_name, make, wrong) => {
  const owned = await addOwnedClient(service, { type: 'public' });
  const { verifier } = createPkce();
  const pkce = { verifier, challenge: await make(verifier) };

  await requestToken(service, await issueCode(service, owned.client, { pkce }));

  const [failure] = await readFailures(service, owned);
  expect(failure?.wrong).toMatch(/^code_verifier is right, but the challenge/);
  expect(failure?.wrong).toMatch(wrong);
});

test('a confidential client’s exchange failed with a verifier that nobody asked for', async () => {
  const owned = await addOwnedClient(service);

  await exchange({ code_verifier: createPkce().verifier })(service, owned.client);

  const [failure] = await readFailures(service, owned);
  expect(failure?.wrong).toContain('its authorization request had no code_challenge');
});
