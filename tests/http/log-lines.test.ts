import { describe, expect, test } from 'vitest';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { grantIdOf, issueTokens, refreshFields } from '../support/tokens.ts';
import { addClient, callMe, requestToken, type Tokens } from '../support/world.ts';

const service = await openTestService();
const proxied = await openAnotherInstance(service, { TRUSTED_PROXIES: '10.0.0.0/8' });
const client = await addClient(service);

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** The lines of answered requests since the last call. */
function answeredOf(instance: TestService): Record<string, unknown>[] {
  const lines = instance.takeLog().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');
}

async function idAnswered(remoteAddress: string, id: string | string[]): Promise<unknown> {
  const headers = { 'x-request-id': id };
  const { headers: answered } = await proxied.app.inject({ url: '/healthz', remoteAddress, headers });
  return answered['x-request-id'];
}

describe('the id of a request (contract §5)', () => {
  test.each(['8d2f6a0c-1f3b-4c5d-9e7a-0123456789ab', 'a1b2c3d4', 'Root_1.2-3', 'x'.repeat(64)])(
    'is the one that a trusted proxy sends, in the answer and in the log: %s',
    async (id) => {
      proxied.takeLog();

      expect(await idAnswered('10.1.1.1', id)).toBe(id);
      expect(answeredOf(proxied)).toMatchObject([{ reqId: id }]);
    },
  );

  test.each(['short', 'x'.repeat(65), 'with blank', '{"level":50}', 'line\tbreak12', ''])(
    'is our own where that is none: %j',
    async (id) => {
      expect(await idAnswered('10.1.1.1', id)).toMatch(/^[0-9a-f]{24}$/);
    },
  );

  test('is our own where anyone else sends one', async () => {
    expect(await idAnswered('198.51.100.7', 'chosen-by-a-stranger')).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe('the trace of a request (contract §5)', () => {
  const traceOf = async (traceparent: string, remoteAddress = '10.1.1.1'): Promise<unknown> => {
    proxied.takeLog();
    await proxied.app.inject({ url: '/healthz', remoteAddress, headers: { traceparent } });
    return answeredOf(proxied)[0]?.['trace'];
  };

  test('is in the log if a trusted proxy sends it', async () => {
    expect(await traceOf(`00-${traceId}-00f067aa0ba902b7-01`)).toBe(traceId);
  });

  test('is not taken from anyone else', async () => {
    expect(await traceOf(`00-${traceId}-00f067aa0ba902b7-01`, '198.51.100.7')).toBeUndefined();
  });

  test.each([
    `01-${traceId}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${traceId}-00f067aa0ba902b7-01-more`,
    'canary',
  ])('is not read from %s (W3C Trace Context, section 3.2)', async (traceparent) => {
    expect(await traceOf(traceparent)).toBeUndefined();
  });
});

describe('the line of a request', () => {
  test('names the client and the grant, and no token', async () => {
    const tokens = await issueTokens(service, client);
    service.takeLog();
    await callMe(service, tokens.access_token);
    const refreshed = await requestToken(service, refreshFields(client, tokens.refresh_token));
    const log = service.logText();
    const grant = grantIdOf(tokens);

    expect(answeredOf(service)).toMatchObject([
      { route: '/v2/me', status: 200, client: client.id, grant },
      { route: '/v2/auth/oauth2/token', status: 200, client: client.id, grant },
    ]);
    const next: Tokens = refreshed.json();
    const secrets = [tokens, next].flatMap((all) => [all.access_token, all.refresh_token]);
    for (const secret of [...secrets, client.secret ?? '?']) expect(log).not.toContain(secret);
  });

  test('names a client that is refused, unless what it sent is no client id', async () => {
    const fields = { ...refreshFields(client, 'canary-token'), client_secret: 'canary-secret' };
    service.takeLog();
    await requestToken(service, fields);
    await requestToken(service, { ...fields, client_id: 'canary-id' });
    const log = service.logText();

    expect(answeredOf(service).map(({ client, status }) => [status, client])).toEqual([
      [401, client.id],
      [401, undefined],
    ]);
    expect(log).not.toContain('canary');
  });

  test.each(['/healthz', '/readyz'])('is at debug for %s, which is asked every few seconds', async (url) => {
    service.takeLog();
    await service.app.inject(url);

    expect(answeredOf(service)).toMatchObject([{ route: url, level: 20 }]);
  });
});
