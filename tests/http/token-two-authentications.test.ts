import { describe, expect, test } from 'vitest';
import { basic, basicOf, withoutClient } from '../support/basic.ts';
import { sharedService } from '../support/service.ts';
import { listen, sendRaw, writeRequest } from '../support/socket.ts';
import {
  issueCode,
  issueTokens,
  postBody,
  refusalOf,
  revocationPath,
  type TokenFields,
} from '../support/tokens.ts';
import { addClient, clientFields, requestToken } from '../support/world.ts';

const service = await sharedService();
const port = await listen(service);
const client = await addClient(service);
const other = await addClient(service);

/** A right exchange without the client's own fields. */
const exchangeOf = async (): Promise<TokenFields> => withoutClient(await issueCode(service, client));

describe('two client identities or two ways of authentication (RFC 6749 §2.3, security C23)', () => {
  const bodies: readonly (readonly [string, TokenFields])[] = [
    ['its own secret', { client_secret: client.secret ?? '' }],
    ['its own id and secret', clientFields(client)],
    ['its own id and a wrong secret', { client_id: client.id, client_secret: 'wrong' }],
    ["another client's id", { client_id: other.id }],
    ["another client's secret", { client_secret: other.secret ?? '' }],
    ["another client's id and secret", clientFields(other)],
  ];

  test.each(bodies)('Basic of a client and, in the body, %s', async (_name, fields) => {
    const request = { ...(await exchangeOf()), ...fields };

    const answer = await requestToken(service, request, { headers: { authorization: basicOf(client) } });

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', expect.any(String)]);
  });

  test.each(bodies)('at the revocation endpoint: Basic and, in the body, %s', async (_name, fields) => {
    const { refresh_token: token } = await issueTokens(service, client);
    const body = new URLSearchParams({ token, ...fields }).toString();

    const answer = await postBody(service, body, { authorization: basicOf(client) }, revocationPath);

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', expect.any(String)]);
  });

  test.each([
    ['of two clients', basicOf(client), basicOf(other)],
    ['of one client twice', basicOf(client), basicOf(client)],
    ['with the right secret and a wrong one', basicOf(client), basic(client.id, 'wrong')],
  ])('two Authorization headers %s', async (_name, first, second) => {
    const body = new URLSearchParams(await exchangeOf()).toString();
    const headers = [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Authorization', first],
      ['Authorization', second],
    ] as const;

    const answer = await sendRaw(port, writeRequest('POST /v2/auth/oauth2/token', headers, body));

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'invalid_request' });
  });
});
