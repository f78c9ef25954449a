import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { layDatabaseLine } from '../support/database-line.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { issueTokens, refreshFields } from '../support/tokens.ts';
import { addClient, callMe, requestToken } from '../support/world.ts';

const anyPort = { METRICS_PORT: '0' };
const service = await openTestService(anyPort);

/** Where an instance answers `/metrics`, as its log says. */
function addressOf(instance: TestService): string {
  const [, port] = /"port":(\d+)\},"msg":"metrics are served"/.exec(instance.logText()) ?? [];
  if (port === undefined) throw new Error('no metrics are served');
  return `http://127.0.0.1:${port}`;
}

const address = addressOf(service);

async function scrape(at = address): Promise<string> {
  return (await fetch(`${at}/metrics`)).text();
}

/** Adds up the series whose line begins so. */
function sumOf(text: string, begin: string): number {
  const lines = text.split('\n').filter((line) => line.startsWith(begin));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** How much the series that begin so grow while something is done. */
async function growthOf(begin: string, work: () => Promise<unknown>): Promise<number> {
  const before = sumOf(await scrape(), begin);
  await work();
  return sumOf(await scrape(), begin) - before;
}

describe('where metrics are answered (contract §7)', () => {
  test('nowhere, unless METRICS_PORT is set', async () => {
    const silent = await openAnotherInstance(service);

    expect(silent.logText()).not.toContain('metrics are served');
    expect((await silent.app.inject('/metrics')).statusCode).toBe(404);
  });

  test('at a port of its own alone, where nothing else is', async () => {
    const { status, headers } = await fetch(`${address}/metrics`);

    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain;/)]);
    expect((await service.app.inject('/metrics')).statusCode).toBe(404);
    for (const path of ['/', '/healthz', '/v2/me', '/metrics/x'])
      expect((await fetch(`${address}${path}`)).status).toBe(404);
  });
});

describe('requests', () => {
  test('are counted by the pattern of their route, method and status', async () => {
    const begin = 'latchkey_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}';

    expect(await growthOf(begin, () => service.app.inject('/healthz?canary=1'))).toBe(1);
    expect(await scrape()).not.toContain('canary');
  });

  test('to 1,000 random paths make a handful of series', async () => {
    const seriesOf = (text: string): number => text.split('_duration_seconds_count{').length - 1;
    const before = seriesOf(await scrape());
    const shapes = ['/x', '/x/y', '/v2/x', '/v2/bookings/x', '/assets/x', '/settings/apps/x/disconnect'];
    for (let index = 0; index < 1000; index += 1) {
      const random = randomBytes(6).toString('hex');
      const url = (shapes[index % shapes.length] ?? '/x').replaceAll(/[xy]$/g, random);
      await service.app.inject({ method: index % 7 === 0 ? 'PUT' : 'GET', url });
    }

    // Each shape by two methods, and by two statuses: not found, or over the limit of requests.
    expect(seriesOf(await scrape()) - before).toBeLessThanOrEqual(2 * 2 * shapes.length);
    // The network's limit of pages fills again (security C217).
    service.clock.advance(120);
  });
});

describe('tokens', () => {
  test.each(['confidential', 'public'] as const)(
    'that a %s client gets are counted by grant type',
    async (type) => {
      const client = await addClient(service, { type });
      const of = (grant: string): string =>
        `latchkey_tokens_issued_total{grant_type="${grant}",client_type="${type}"}`;
      let refreshToken = '';

      const exchanged = await growthOf(of('authorization_code'), async () => {
        refreshToken = (await issueTokens(service, client)).refresh_token;
      });
      const refreshed = await growthOf(of('refresh_token'), () =>
        requestToken(service, refreshFields(client, refreshToken)),
      );

      expect([exchanged, refreshed]).toEqual([1, 1]);
    },
  );

  test('that are refused are counted by reason', async () => {
    const client = await addClient(service);
    const begin = 'latchkey_tokens_refused_total{reason="invalid_refresh_token",client_type="confidential"}';

    expect(await growthOf(begin, () => requestToken(service, refreshFields(client, 'canary')))).toBe(1);
  });

  test('that the API refuses are counted by reason', async () => {
    const begin = 'latchkey_bearer_refused_total{reason="invalid_token"}';

    expect(await growthOf(begin, () => callMe(service, 'canary'))).toBe(1);
  });
});

test('refusals are counted by the rate limit', async () => {
  const client = await addClient(service);
  const fields = { ...refreshFields(client, 'x'), client_secret: 'wrong' };
  const grown = await growthOf('latchkey_rate_limit_refused_total{limit="wrong_secrets"}', () =>
    Promise.all(
      Array.from({ length: service.app.buckets.wrong_secrets.max + 2 }, () => requestToken(service, fields)),
    ),
  );

  expect(grown).toBe(2);
});

test('nobody is named: no client, grant, user or address', async () => {
  const client = await addClient(service);
  const tokens = await issueTokens(service, client);
  await callMe(service, tokens.access_token);
  const text = await scrape();

  for (const name of [client.id, tokens.access_token, '127.0.0.1', '@']) expect(text).not.toContain(name);
});

describe('the database', () => {
  test('is described: answer, unsent emails', async () => {
    const text = await scrape();

    expect(text).toContain('latchkey_database_up 1\n');
    expect(sumOf(text, 'latchkey_outbox_emails{state="logged"}')).toBeGreaterThanOrEqual(0);
  });

  test('is asked three times, however many scrapes arrive', async () => {
    await scrape();
    service.takeAllStatements();
    await Promise.all(Array.from({ length: 30 }, () => scrape()));
    const asked = service.takeAllStatements().filter((text) => text.includes('"unsent"'));

    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(10);
  });

  test('can be away: the rest is answered, and says so', async () => {
    const line = await layDatabaseLine(service.database.url);
    const far = await openAnotherInstance(service, { ...anyPort, DATABASE_URL: line.url });
    await line.cut();
    const text = await scrape(addressOf(far));
    await line.mend();

    expect(text).toContain('latchkey_database_up 0\n');
    expect(text).not.toContain('latchkey_outbox_emails{');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });
});
