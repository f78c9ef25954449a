import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { openSurface, pathOf } from '../fuzz/surface.ts';
import { recordingRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';

const [service, recorded] = await recordingRoutes(openTestService);
const { app } = service;
const { targets } = await openSurface(service, recorded);
/** A right value is sent, or none. */
const read = targets
  .filter(({ method }) => method === 'GET')
  .map((target) => {
    const query = Object.fromEntries(Object.entries(target.query).filter(([, value]) => value !== ''));
    return { ...target, url: pathOf({ ...target, query }) };
  });

/** These differ from one request to the next. */
const ofOne =
  /^(?:date|x-request-id|ratelimit-(?:remaining|reset)|retry-after|set-cookie|content-security-policy)$/;

const kept = ({ headers }: LightMyRequestResponse) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOne.test(name)));

/** What the beginning of a body shows, for the types that the service sends. */
function typeOf({ rawPayload: body }: LightMyRequestResponse): RegExp {
  const text = body.subarray(0, 40).toString('latin1');
  if (text.startsWith('<!doctype html>')) return /^text\/html; charset=utf-8$/;
  if (text.startsWith('"at",')) return /^text\/csv; charset=utf-8$/;
  if (text.startsWith('BEGIN:VCALENDAR')) return /^text\/calendar; charset=utf-8$/;
  if (/^[{[]/.test(text)) return /^application\/(?:[\w-]+\+)?json(?:; charset=utf-8)?$/;
  if (text.startsWith('\x89PNG')) return /^image\/png$/;
  if (text.startsWith('<svg')) return /^image\/svg\+xml$/;
  if (text.startsWith('wOF2')) return /^font\/woff2$/;
  return /^text\/(?:css|javascript|plain)(?:; charset=utf-8)?$/;
}

test.each(read.map((target) => [target.route, target] as const))(
  'GET and HEAD of %s, by nobody and by who has one of everything, answer the same and true (RFC 9110 §9.3.2, §12.5)',
  async (_route, { url, headers: own }) => {
    for (const headers of [{}, own]) {
      // No limit is what answers.
      service.clock.advance(5);
      const ask = (method: 'GET' | 'HEAD', encodings: string) =>
        app.inject({ method, url, headers: { ...headers, 'accept-encoding': encodings } });
      const [plain, gzipped] = [await ask('GET', 'br, gzip;q=0'), await ask('GET', 'br, gzip')];
      const heads = [await ask('HEAD', 'br, gzip;q=0'), await ask('HEAD', 'br, gzip')];
      // A secret is shown once, so a HEAD must not take it.
      if (heads[0]?.statusCode === 405) {
        expect(String(heads[0].headers.allow).split(', ')).not.toContain('HEAD');
        continue;
      }
      expect(heads.map((head) => [head.statusCode, kept(head), head.body])).toEqual(
        [plain, gzipped].map((get) => [get.statusCode, kept(get), '']),
      );
      expect(plain.headers['content-encoding']).toBeUndefined();
      if (gzipped.headers['content-encoding'] !== undefined) {
        expect(gzipped.headers['content-encoding']).toBe('gzip');
        expect([gzipped.headers.vary, plain.headers.vary]).toEqual(['accept-encoding', 'accept-encoding']);
      }
      expect(plain.statusCode).not.toBe(429);
      if (plain.rawPayload.length === 0) continue;
      expect(Number(plain.headers['content-length'])).toBe(plain.rawPayload.length);
      expect(plain.headers['content-type']).toMatch(typeOf(plain));
    }
  },
);

test('every route that can be read is asked for', () => {
  const routes = recorded.filter(({ method }) => [method].flat().includes('GET'));
  const asked = new Set(read.map(({ route }) => route));

  expect(
    routes.map(({ url }) => url.replaceAll(/\(\^.*?\$\)(?=\/|$)/g, '')).filter((url) => !asked.has(url)),
  ).toEqual([]);
});
