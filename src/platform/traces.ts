import type { Config } from '../config.ts';
import { count } from './metrics/counters.ts';
import type { Observer, Platform } from './platform.ts';
import { routeOf, traceParentOf } from './request-identity.ts';
import { randomHex } from './runtime.ts';

/** Those that wait beyond this are dropped. */
const maxWaiting = 2048;
const maxTogether = 512;
const everyMs = 5000;
const timeoutMs = 3000;
/** OTLP: SpanKind and StatusCode. */
const serverKind = 2;
const errorStatus = 2;

/**
 * Sends a span of each sampled request to an OpenTelemetry collector (OTLP/HTTP in JSON), after the
 * answer, together with others. Its parent is the `traceparent` of a trusted proxy, which then
 * decides whether it is sampled (contract §1). What the collector doesn't take is dropped.
 */
export function startTraces(
  { config, runtime, log }: Pick<Platform, 'config' | 'runtime' | 'log'>,
  { endpoint, headers, ratio }: NonNullable<Config['traces']>,
): Observer {
  let waiting: object[] = [];
  let sending: Promise<void> | undefined;
  let isFailing = false;

  async function send(spans: readonly object[]): Promise<void> {
    try {
      const answer = await fetch(`${endpoint}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
      isFailing = false;
    } catch (err) {
      count('spans_dropped', '', spans.length);
      if (!isFailing) log.warn({ err }, 'the trace collector takes no spans');
      isFailing = true;
    }
  }

  function flush(): Promise<void> {
    if (sending !== undefined || waiting.length === 0) return sending ?? Promise.resolve();
    const spans = waiting.slice(0, maxTogether);
    waiting = waiting.slice(maxTogether);
    sending = send(spans).finally(() => {
      sending = undefined;
    });
    return sending;
  }

  const timer = setInterval(() => void flush(), everyMs).unref();
  return {
    onAnswered(request, { statusCode, elapsedTime }) {
      const { raw, id, method } = request;
      const parent = traceParentOf(raw, config.trustedProxies);
      const traceId = parent?.traceId ?? randomHex(runtime, 16);
      const isSampled = parent?.isSampled ?? Number.parseInt(traceId.slice(0, 8), 16) < ratio * 2 ** 32;
      if (!isSampled) return;
      if (waiting.length >= maxWaiting) return count('spans_dropped');
      const route = routeOf(request);
      const endedAt = runtime.now().getTime();
      waiting.push({
        traceId,
        spanId: randomHex(runtime, 8),
        parentSpanId: parent?.spanId,
        name: `${method} ${route}`,
        kind: serverKind,
        startTimeUnixNano: nanoseconds(endedAt - elapsedTime),
        endTimeUnixNano: nanoseconds(endedAt),
        attributes: [
          text('http.request.method', method),
          text('http.route', route),
          { key: 'http.response.status_code', value: { intValue: String(statusCode) } },
          text('latchkey.request_id', id),
        ],
        status: statusCode < 500 ? {} : { code: errorStatus },
      });
      if (waiting.length >= maxTogether) void flush();
    },
    /** Sends the rest. */
    async close() {
      clearInterval(timer);
      await sending;
      while (waiting.length > 0 && !isFailing) await flush();
    },
  };
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const resource = { attributes: [text('service.name', 'latchkey')] };
const scope = { name: 'latchkey' };

/** Longer than a number of JavaScript is exact. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}
