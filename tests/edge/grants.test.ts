import { describe, expect, test } from 'vitest';
import { challenge, verifier } from '../support/core-builders.ts';
import { clientFields, type Fields, openEdgeService, redirectUri } from './edge-service.ts';

const edge = await openEdgeService();

/** The right exchange of a new code of the public client. */
async function exchangeFields(): Promise<Fields> {
  const code = await edge.approve({ codeChallenge: challenge });
  return {
    ...clientFields.public,
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
}

function refreshFields(refreshToken: unknown): Fields {
  return { ...clientFields.public, grant_type: 'refresh_token', refresh_token: String(refreshToken) };
}

/** The refresh token of a successful request. */
async function succeed(fields: Fields): Promise<string> {
  const { status, body } = await edge.token(fields);
  if (status !== 200) throw new Error(`the request answered ${status} ${JSON.stringify(body)}`);
  return String(body['refresh_token']);
}

const codeRefused = {
  status: 400,
  body: { error: 'invalid_grant', error_description: 'code_invalid_or_expired' },
};
const tokenRefused = {
  status: 400,
  body: { error: 'invalid_grant', error_description: 'invalid_refresh_token' },
};

describe('a code at the edge (RFC 6749 §4.1.2, contract §4)', () => {
  test('is exchanged for tokens', async () => {
    const answer = await edge.token(await exchangeFields());

    expect(answer).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refresh_token: expect.stringMatching(/^lkr_/),
        token_type: 'bearer',
        expires_in: 1800,
        scope: 'PROFILE_READ PROFILE_WRITE BOOKING_READ BOOKING_WRITE',
      },
    });
  });

  test('is refused the second time, and its tokens stay: it may be a double submit', async () => {
    const fields = await exchangeFields();
    const refreshToken = await succeed(fields);

    expect(await edge.token(fields)).toEqual(codeRefused);
    expect((await edge.token(refreshFields(refreshToken))).status).toBe(200);
  });

  test('is exchanged once, of thirty exchanges at the same time', async () => {
    const fields = await exchangeFields();

    const answers = await Promise.all(Array.from({ length: 30 }, () => edge.token(fields)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(29).fill(codeRefused));
  });
});

describe('a refresh token at the edge (RFC 9700 §4.14.2, contract §4)', () => {
  test('gives the same successor to a retry, and to thirty at the same time', async () => {
    const first = await succeed(await exchangeFields());
    const second = await succeed(refreshFields(first));

    const retried = await Promise.all(Array.from({ length: 30 }, () => succeed(refreshFields(first))));

    expect(new Set(retried)).toEqual(new Set([second]));
  });

  test('that was used two refreshes ago is taken for stolen: the grant ends', async () => {
    const first = await succeed(await exchangeFields());
    const third = await succeed(refreshFields(await succeed(refreshFields(first))));

    expect(await edge.token(refreshFields(first))).toEqual(tokenRefused);
    expect(await edge.token(refreshFields(third))).toEqual(tokenRefused);
  });
});

test('an access token opens nothing from the end of its grant on (security C423)', async () => {
  const { body } = await edge.token(await exchangeFields());
  const authorization = `Bearer ${body['access_token']}`;
  const call = async () => (await fetch(`${edge.url}/whoami`, { headers: { authorization } })).status;
  const before = await call();
  const ended = new URLSearchParams({ ...clientFields.public, token: String(body['refresh_token']) });
  await fetch(`${edge.url}/revoke`, { method: 'POST', body: ended });

  expect([before, await call()]).toEqual([200, 401]);
});

test('grants survive a crash of workerd: what was spent stays spent, what was not still works', async () => {
  const [used, unused] = [await exchangeFields(), await exchangeFields()];
  const refreshToken = await succeed(used);

  await edge.restart();

  expect(await edge.token(used)).toEqual(codeRefused);
  expect((await edge.token(unused)).status).toBe(200);
  expect((await edge.token(refreshFields(refreshToken))).status).toBe(200);
});
