import { describe, expect, test } from 'vitest';
import { setClientStatus } from '../support/client-status.ts';
import { sharedService } from '../support/service.ts';
import { grantsOf, issueCode, issueTokens, refusalOf, revoke, usable, use } from '../support/tokens.ts';
import { addClient, callMe, refresh, requestToken } from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;

const notAccepted = [401, 'invalid_client', 'client_not_accepted'] as const;

describe.each(['confidential', 'public'] as const)('a %s client', (type) => {
  describe.each(['pending', 'rejected'] as const)('that is %s all of a sudden', (status) => {
    test('cannot exchange its code, which is good again when it is accepted again (contract §2, security C44)', async () => {
      const client = await addClient(service, { type });
      const request = await issueCode(service, client);
      await setClientStatus(db, client.id, status);

      const refused = await requestToken(service, request);
      await setClientStatus(db, client.id, 'accepted');
      const exchanged = await requestToken(service, request);

      expect(refusalOf(refused)).toEqual(notAccepted);
      expect(exchanged.statusCode).toBe(200);
    });

    test('cannot refresh, and loses nothing by trying (contract §2, security C44)', async () => {
      const client = await addClient(service, { type });
      const tokens = await issueTokens(service, client);
      await setClientStatus(db, client.id, status);

      const refused = await refresh(service, client, tokens.refresh_token);
      await setClientStatus(db, client.id, 'accepted');

      expect(refusalOf(refused)).toEqual(notAccepted);
      expect(await use(service, client, tokens)).toEqual(usable);
    });

    test('cannot use the API, nor look clients up (contract §5, security C44)', async () => {
      const client = await addClient(service, { type });
      const tokens = await issueTokens(service, client);
      await setClientStatus(db, client.id, status);

      const me = await callMe(service, tokens.access_token);
      const lookUp = await service.app.inject({
        url: `/v2/auth/oauth2/clients/${client.id}`,
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      await setClientStatus(db, client.id, 'accepted');

      for (const answer of [me, lookUp]) {
        expect(answer.statusCode).toBe(401);
        expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
      }
      expect(await use(service, client, tokens)).toEqual(usable);
    });

    test('changes nothing by a replay or a theft (contract §4)', async () => {
      const client = await addClient(service, { type });
      const request = await issueCode(service, client);
      await requestToken(service, request);
      service.clock.advance(11);
      await setClientStatus(db, client.id, status);

      const replayed = await requestToken(service, request);

      expect(refusalOf(replayed)).toEqual(notAccepted);
      expect(await grantsOf(service, client)).toMatchObject([{ revokedAt: null }]);
    });

    test('may still give up what it holds (RFC 7009 §2)', async () => {
      const client = await addClient(service, { type });
      const tokens = await issueTokens(service, client);
      await setClientStatus(db, client.id, status);

      const revoked = await revoke(service, client, tokens.refresh_token);

      expect(revoked.statusCode).toBe(200);
      expect(await grantsOf(service, client)).toMatchObject([{ revocationReason: 'client' }]);
    });
  });
});

test('only a client that knows its secret learns that it was not accepted (contract §4)', async () => {
  const client = await addClient(service, { status: 'rejected' });

  const answer = await requestToken(service, {
    client_id: client.id,
    client_secret: 'wrong',
    grant_type: 'refresh_token',
    refresh_token: 'x',
  });

  expect(refusalOf(answer)).toEqual([401, 'invalid_client', 'invalid_client_credentials']);
});
