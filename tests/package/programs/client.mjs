import { createLatchkey, finishAuthorization, startAuthorization } from 'latchkey-client';
import { expect } from './world.mjs';

const app = { baseUrl: 'https://latchkey.example', clientId: 'app', redirectUri: 'https://app.example/' };
const authorization = await startAuthorization(app);
const { searchParams } = new URL(authorization.url);
expect(searchParams.get('code_challenge')?.length === 43, 'the challenge');
const fetch = async (request) => {
  const { code_verifier } = await request.json();
  expect(code_verifier === authorization.codeVerifier, 'the verifier');
  return Response.json({ access_token: 'a', refresh_token: 'b', expires_in: 1800 });
};
const answer = new URLSearchParams({ code: 'c', state: authorization.state, iss: app.baseUrl });
const tokens = await finishAuthorization({ ...app, fetch }, authorization, `${app.redirectUri}?${answer}`);
expect(tokens.refreshToken === 'b', 'the tokens');
const latchkey = createLatchkey({
  ...app,
  tokens,
  fetch: async (request) => Response.json({ data: { sent: request.headers.get('authorization') } }),
});
expect((await latchkey.GET('/v2/me')).data.data.sent === 'Bearer a', 'a call with the token');
