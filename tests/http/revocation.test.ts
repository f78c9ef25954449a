import { describe, expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';
import {
  dead,
  grantsOf,
  issueCode,
  issueTokens,
  refusalOf,
  revoke,
  rotate,
  usable,
  use,
} from '../support/tokens.ts';
import { addClient, addUser, connect, requestToken, startSession, type Tokens } from '../support/world.ts';

const service = await sharedService();

describe.each(['confidential', 'public'] as const)('a %s client', (type) => {
  test.each([
    ['its refresh token', ({ refresh_token: token }: Tokens) => token],
    ['its access token', ({ access_token: token }: Tokens) => token],
  ])('ends its grant by %s, immediately and for good (RFC 7009 §2.1)', async (_name, choose) => {
    const client = await addClient(service, { type });
    const first = await issueTokens(service, client);
    const second = await rotate(service, client, first);

    const answer = await revoke(service, client, choose(second));

    expect([answer.statusCode, answer.body]).toEqual([200, '{}']);
    expect(await use(service, client, first)).toEqual(dead);
    expect(await use(service, client, second)).toEqual(dead);
    expect(await grantsOf(service, client)).toMatchObject([{ revocationReason: 'client' }]);
  });

  test('ends that grant and no other of the user (RFC 7009 §2.1)', async () => {
    const client = await addClient(service, { type });
    const cookie = await startSession(service, await addUser(service));
    const [ended, kept] = [await connect(service, client, cookie), await connect(service, client, cookie)];

    await revoke(service, client, ended.refresh_token);

    expect(await use(service, client, ended)).toEqual(dead);
    expect(await use(service, client, kept)).toEqual(usable);
  });

  test.each([
    ['its refresh token', ({ refresh_token: token }: Tokens) => token],
    ['its access token', ({ access_token: token }: Tokens) => token],
  ])(
    "leaves another client's grant alone, given %s, and does not say so (RFC 7009 §2.1)",
    async (_name, choose) => {
      const [client, other] = [await addClient(service, { type }), await addClient(service, { type })];
      const tokens = await issueTokens(service, other);

      const answer = await revoke(service, client, choose(tokens));

      expect([answer.statusCode, answer.body]).toEqual([200, '{}']);
      expect(await use(service, other, tokens)).toEqual(usable);
    },
  );

  test('may revoke twice, and the first reason stays (RFC 7009 §2.2)', async () => {
    const client = await addClient(service, { type });
    const tokens = await issueTokens(service, client);
    await revoke(service, client, tokens.refresh_token);
    const [before] = await grantsOf(service, client);
    service.clock.advance(60);

    const again = await revoke(service, client, tokens.refresh_token);

    expect(again.statusCode).toBe(200);
    expect(await grantsOf(service, client)).toEqual([before]);
  });

  test('cannot spend a code after its grant was revoked (contract §4)', async () => {
    const client = await addClient(service, { type });
    const request = await issueCode(service, client);
    const tokens: Tokens = (await requestToken(service, request)).json();
    await revoke(service, client, tokens.refresh_token);

    const answer = await requestToken(service, request);

    expect(refusalOf(answer)).toEqual([400, 'invalid_grant', 'code_invalid_or_expired']);
  });
});
