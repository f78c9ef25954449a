import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countsOf } from '../../src/platform/metrics/counters.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';

const value = z.union([z.object({ stringValue: z.string() }), z.object({ intValue: z.string() })]);
const span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.literal(2),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: z.array(z.strictObject({ key: z.string(), value })),
  status: z.strictObject({ code: z.literal(2).optional() }),
});
const scopeSpans = z.array(
  z.object({ scope: z.object({ name: z.literal('latchkey') }), spans: z.array(span) }),
);
const received = z.object({ resourceSpans: z.array(z.object({ resource: z.unknown(), scopeSpans })) });

const service = await openTestService();
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A collector that keeps what it gets; it can answer with an error, or not at all. */
async function openCollector(answer: number | 'silence' = 200) {
  const spans: z.output<typeof span>[] = [];
  const requests: { readonly url: string | undefined; readonly authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    requests.push({ url: request.url, authorization: request.headers.authorization });
    if (answer === 'silence') return;
    const { resourceSpans } = received.parse(JSON.parse(body));
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
    response.writeHead(answer).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('it has no port');
  return { spans, requests, endpoint: `http://127.0.0.1:${listening.port}` };
}

async function openTraced(endpoint: string, environment: Record<string, string> = {}): Promise<TestService> {
  return openAnotherInstance(service, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...environment });
}

describe('with OTEL_EXPORTER_OTLP_ENDPOINT (contract §1)', () => {
  test('each request is a span of its route, and what people put into an address stays out', async () => {
    const { spans, requests, endpoint } = await openCollector();
    const traced = await openTraced(`${endpoint}/`, {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20canary',
    });
    const answer = await traced.app.inject('/healthz?secret=canary');
    await traced.app.inject('/v2/me');
    await traced.app.inject('/canary/canary');
    await traced.app.inject('/nowhere/at/all/canary');
    await traced.close();

    const names = ['GET /healthz', 'GET /v2/me', 'GET /:username/:slug', 'GET none'];
    expect(spans.map(({ name }) => name)).toEqual(names);
    expect(spans[0]?.attributes).toEqual([
      { key: 'http.request.method', value: { stringValue: 'GET' } },
      { key: 'http.route', value: { stringValue: '/healthz' } },
      { key: 'http.response.status_code', value: { intValue: '200' } },
      { key: 'latchkey.request_id', value: { stringValue: answer.headers['x-request-id'] } },
    ]);
    expect(new Set(spans.map((one) => one.traceId)).size).toBe(4);
    expect(requests).toEqual([{ url: '/v1/traces', authorization: 'Bearer canary' }]);
    expect(JSON.stringify(spans) + traced.logText()).not.toContain('canary');
  });

  test('a trusted proxy’s traceparent is the parent, and says whether it is sampled', async () => {
    const { spans, endpoint } = await openCollector();
    const traced = await openTraced(endpoint, { TRUSTED_PROXIES: '10.0.0.0/8' });
    for (const [remoteAddress, flags] of [
      ['10.1.1.1', '01'],
      ['10.1.1.1', '00'],
      ['198.51.100.7', '00'],
    ]) {
      const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` };
      await traced.app.inject({ url: '/healthz', headers, remoteAddress: remoteAddress ?? '' });
    }
    await traced.close();

    expect(spans).toMatchObject([{ traceId, parentSpanId: '00f067aa0ba902b7' }, {}]);
    expect(spans[1]?.traceId).not.toBe(traceId);
    expect(spans[1]?.parentSpanId).toBeUndefined();
  });

  test('OTEL_TRACES_SAMPLER_ARG=0 sends none of its own', async () => {
    const { requests, endpoint } = await openCollector();
    const traced = await openTraced(endpoint, { OTEL_TRACES_SAMPLER_ARG: '0' });
    await traced.app.inject('/healthz');
    await traced.close();

    expect(requests).toEqual([]);
  });
});

test.each([
  ['refuses', 500],
  ['redirects', 307],
] as const)('a collector that %s costs its spans and one line of the log', async (_name, status) => {
  const { endpoint } = await openCollector(status);
  const traced = await openTraced(endpoint);
  const before = countsOf('spans_dropped').get('') ?? 0;
  const { statusCode } = await traced.app.inject('/healthz');
  await traced.close();

  expect(statusCode).toBe(200);
  expect((countsOf('spans_dropped').get('') ?? 0) - before).toBe(1);
  expect(traced.logText().split('takes no spans')).toHaveLength(2);
});

test('of a collector that never answers, 2,048 spans and a batch are kept', async () => {
  const { endpoint } = await openCollector('silence');
  const traced = await openTraced(endpoint);
  const before = countsOf('spans_dropped').get('') ?? 0;
  for (let index = 0; index < 2600; index += 1) await traced.app.inject('/healthz');
  const dropped = (countsOf('spans_dropped').get('') ?? 0) - before;
  await traced.close();

  expect(dropped).toBeGreaterThanOrEqual(2600 - 2048 - 512);
});
