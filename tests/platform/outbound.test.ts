import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createOutbound, OutboundError, type OutboundOptions } from '../../src/platform/outbound.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { startFeedServer } from '../support/feed-server.ts';

const server = await startFeedServer();
const privately: OutboundOptions = { mayConnectTo: () => true };
const publicly: OutboundOptions = {};
/** The test's own server stands for a public one. */
const here: OutboundOptions = { mayConnectTo: (address) => address === '127.0.0.1' };

function open(options: OutboundOptions) {
  const outbound = createOutbound(options);
  atTheEnd(outbound.close);
  return outbound;
}

/** Why it failed, or the text that came. */
async function attempt(options: OutboundOptions, address: string, timeoutMs = 5000): Promise<string> {
  try {
    return (await open(options).fetch(address, { signal: AbortSignal.timeout(timeoutMs) })).text;
  } catch (error) {
    if (error instanceof OutboundError) return error.reason;
    throw error;
  }
}

const hello = server.serve('/hello', (_request, response) => response.end('hello'));

describe('without leave for private networks (security C43)', () => {
  const { port } = server;
  test.each([
    `http://127.0.0.1:${port}/hello`,
    `http://localhost:${port}/hello`,
    `http://LOCALHOST:${port}/hello`,
    `http://2130706433:${port}/hello`,
    `http://0x7f000001:${port}/hello`,
    `http://0177.0.0.1:${port}/hello`,
    `http://127.1:${port}/hello`,
    `http://0:${port}/hello`,
    `http://[::1]:${port}/hello`,
    `http://[::ffff:127.0.0.1]:${port}/hello`,
    `http://[::ffff:7f00:1]:${port}/hello`,
    `http://[64:ff9b::7f00:1]:${port}/hello`,
    `http://①②⑦.⓪.⓪.①:${port}/hello`,
    'http://169.254.169.254/latest/meta-data/',
  ])('%s is refused, and nothing is sent there', async (address) => {
    const before = server.requests.length;

    expect(await attempt(publicly, address)).toBe('address_not_public');

    expect(server.requests).toHaveLength(before);
  });

  test('a name with one private address among public ones is refused', async () => {
    const lookUp = async () => ['93.184.216.34', '127.0.0.1'];

    expect(await attempt({ ...publicly, lookUp }, `http://cal.example:${port}/hello`)).toBe(
      'address_not_public',
    );
  });

  test('a name without addresses is unreachable', async () => {
    expect(await attempt({ ...publicly, lookUp: async () => [] }, 'http://cal.example/')).toBe('unreachable');
  });

  test('a redirect into a private network is refused', async () => {
    const address = server.serve('/into', (_request, response) =>
      response.writeHead(302, { location: `http://inner.example:${port}/hello` }).end(),
    );
    const before = server.requests.length;

    expect(await attempt({ ...here, lookUp: async () => ['::1'] }, address)).toBe('address_not_public');

    expect(server.requests.slice(before).map(({ path }) => path)).toEqual(['/into']);
  });
});

test('the address that was checked is the one that is connected to, whatever DNS says a moment later (security C43)', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.2']];
  let asked = 0;
  const lookUp = async () => answers[asked++] ?? [];

  expect(await attempt({ ...here, lookUp }, `http://rebinding.example:${server.port}/hello`)).toBe('hello');

  expect(asked).toBe(1);
});

test('a name is checked again when it is connected to again (security C43)', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.2']];
  const lookUp = async () => answers.shift() ?? [];
  const outbound = open({ ...here, lookUp });
  const address = server
    .serve('/once', (_request, response) => response.writeHead(200, { connection: 'close' }).end())
    .replace('127.0.0.1', 'rebinding.example');
  const ask = () => outbound.fetch(address, { signal: AbortSignal.timeout(5000) });

  expect((await ask()).status).toBe(200);
  await expect(ask()).rejects.toThrow('address_not_public');
});

test('where one address does not answer, the next one does', async () => {
  const lookUp = async () => ['127.0.0.2', '127.0.0.1'];

  expect(await attempt({ ...privately, lookUp }, `http://two.example:${server.port}/hello`)).toBe('hello');
});

test.each([
  ['utf16le', [0xff, 0xfe]],
  ['UTF-16BE', [0xfe, 0xff]],
  ['utf8', []],
] as const)('%s is read by its byte order mark', async (encoding, mark) => {
  const text = Buffer.from('Grüße', encoding === 'utf8' ? 'utf8' : 'utf16le');
  const bytes = Buffer.concat([Buffer.from(mark), encoding === 'UTF-16BE' ? text.swap16() : text]);
  const address = server.serve(`/${encoding}`, (_request, response) => response.end(bytes));

  expect(await attempt(here, address)).toBe('Grüße');
});

test.each([
  'ftp://cal.example/',
  'file:///etc/passwd',
  'data:text/calendar,x',
  'http://user:secret@cal.example/',
  'http://user@cal.example/',
  'http://[fe80::1%25eth0]/',
  'not an address',
])('%s is no address for us', async (address) => {
  expect(await attempt(privately, address)).toBe('address_not_http');
});

describe('redirects', () => {
  server.serve('/hop/0', (_request, response) => response.end('there'));
  for (let hops = 1; hops <= 4; hops += 1)
    server.serve(`/hop/${hops}`, (_request, response) =>
      response.writeHead(302, { location: `/hop/${hops - 1}` }).end(),
    );

  test('are followed three times, and no more (security C43)', async () => {
    expect(await attempt(privately, `http://127.0.0.1:${server.port}/hop/3`)).toBe('there');
    expect(await attempt(privately, `http://127.0.0.1:${server.port}/hop/4`)).toBe('too_many_redirects');
  });

  test('do not lead out of http', async () => {
    const address = server.serve('/out', (_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    );

    expect(await attempt(privately, address)).toBe('address_not_http');
  });

  test('ask again whether credentials may go along', async () => {
    const address = server.serve('/with', (_request, response) =>
      response.writeHead(307, { location: `http://localhost:${server.port}/hello` }).end(),
    );
    const from = server.requests.length;

    await open(privately).fetch(address, {
      signal: AbortSignal.timeout(5000),
      authorize: ({ hostname }) => (hostname === '127.0.0.1' ? 'Basic eA==' : undefined),
    });

    const sent = server.requests.slice(from).map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Basic eA==', undefined]);
  });
});

describe('an answer (security C43)', () => {
  test('of 100 MB is not read to its end', async () => {
    let sent = 0;
    const address = server.serve('/large', (_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const more = (): void => {
        while (sent < 100 && !response.destroyed) {
          sent += 1;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    });

    expect(await attempt(privately, address)).toBe('too_large');
    expect(sent).toBeLessThan(60);
  });

  test('that says beforehand that it is too large is refused', async () => {
    const address = server.serve('/announced', (_request, response) => {
      response.writeHead(200, { 'content-length': String(100 * 1024 * 1024) });
      response.write('x');
    });

    expect(await attempt(privately, address)).toBe('too_large');
  });

  test('that unpacks to more than it may is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const address = server.serve('/bomb', (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );

    expect(bomb.length).toBeLessThan(100_000);
    expect(await attempt(privately, address)).toBe('too_large');
  });

  test('that unpacks to more than a hundred times its size is refused, however small', async () => {
    const packed = gzipSync(Buffer.alloc(1024 * 1024));
    const address = server.serve('/small-bomb', (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    );

    expect(packed.length).toBeLessThan(2000);
    expect(await attempt(privately, address)).toBe('too_large');
  });

  test('is counted while it arrives, unpacked, and ends when the caller has enough (security C53)', async () => {
    const packed = createGzip();
    const address = server.serve('/endless', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      packed.pipe(response);
      packed.write(randomBytes(40_000));
      packed.flush();
    });
    const enough = new AbortController();
    let counted = 0;

    const asked = open(privately).fetch(address, {
      signal: enough.signal,
      count: (bytes) => {
        counted += bytes;
        if (counted >= 40_000) enough.abort(new OutboundError('busy'));
      },
    });

    // The server never ends it.
    await expect(asked).rejects.toThrow('busy');
    expect(counted).toBe(40_000);
  });

  test('may be no larger than the request says', async () => {
    const address = server.serve('/medium', (_request, response) => response.end('x'.repeat(3000)));
    const ask = (maxBytes: number) =>
      open(privately).fetch(address, { signal: AbortSignal.timeout(5000), maxBytes });

    expect((await ask(3000)).text).toHaveLength(3000);
    await expect(ask(2999)).rejects.toThrow('too_large');
  });

  test('that comes packed is unpacked', async () => {
    const address = server.serve('/packed', (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello')),
    );

    expect(await attempt(privately, address)).toBe('hello');
  });

  test.each([
    ['never begins', 0],
    ['comes byte by byte', 20],
  ])('that %s is given up in time', async (_words, everyMs) => {
    const address = server.serve(`/slow/${everyMs}`, async (_request, response) => {
      if (everyMs === 0) return;
      while (!response.destroyed) {
        response.write('x');
        await sleep(everyMs);
      }
    });

    expect(await attempt(privately, address, 400)).toBe('timed_out');
  });

  test('that breaks off is no answer', async () => {
    const address = server.serve('/broken', (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('x', () => response.destroy());
    });

    expect(await attempt(privately, address)).toBe('unreachable');
  });
});

test('a connection without a request is closed after seconds, however long the server would keep it (security C43)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isClosed = false;
  const address = server.serve('/kept', (request, response) => {
    request.socket.once('close', () => {
      isClosed = true;
    });
    response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=600' }).end('kept');
  });

  expect(await attempt(here, address)).toBe('kept');
  for (let seconds = 0; seconds < 10; seconds += 1) await vi.advanceTimersByTimeAsync(1000);

  await expect.poll(() => isClosed).toBe(true);
});

test('with leave for private networks they are reached', async () => {
  expect(await attempt(privately, hello)).toBe('hello');
});
