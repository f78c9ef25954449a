import { lookup } from 'node:dns/promises';
import { getEventListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLookUp } from '../../src/platform/host-names.ts';
import { createOutbound, type OutboundOptions } from '../../src/platform/outbound.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { startFeedServer } from '../support/feed-server.ts';
import { makeDirectoryForFile } from '../support/temporary-directory.ts';
import { startNameServer } from './name-server.ts';

const server = await startFeedServer();
server.serve('/hello', (_request, response) => response.end('hello'));
const dns = await startNameServer({
  'cal.example': ['127.0.0.1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
});
const hostsFile = join(await makeDirectoryForFile(), 'hosts');
await writeFile(
  hostsFile,
  ['# ::1 commented', '127.0.0.1\tRadicale.internal  alias # the calendar', 'nonsense alias2', ''].join('\n'),
);
const lookUp = createLookUp([dns.address], hostsFile);
/** The test's own server stands for a public one. */
const here: OutboundOptions = { lookUp, mayConnectTo: (address) => address === '127.0.0.1' };

function open(options: OutboundOptions = here) {
  const outbound = createOutbound(options);
  atTheEnd(outbound.close);
  return (host: string, timeoutMs = 10_000) =>
    outbound.fetch(`http://${host}:${server.port}/hello`, { signal: AbortSignal.timeout(timeoutMs) });
}

/** Names that no server answers for. */
const hanging = (count: number) => Array.from({ length: count }, (_, index) => `${index}.hanging.example`);

describe('host names that users entered', () => {
  test.each(['cal.example', 'CAL.example.'])('%s is found by DNS', async (host) => {
    expect((await open()(host)).text).toBe('hello');
  });

  test.each(['radicale.internal', 'radicale.internal.', 'alias', 'localhost'])(
    '%s is found in the hosts file, without DNS',
    async (host) => {
      expect((await open({ ...here, mayConnectTo: () => true })(host)).text).toBe('hello');

      expect(dns.asked).not.toContain(host);
    },
  );

  test.each(['mixed.example', 'localhost'])(
    '%s is refused for its one private address (security C43)',
    async (host) => {
      const before = server.requests.length;

      await expect(open()(host)).rejects.toThrow('address_not_public');

      expect(server.requests).toHaveLength(before);
    },
  );

  test('that nobody answers for delay no other name, nor the database’s (security C125)', async () => {
    const fetchFrom = open();
    const asked = hanging(20).map((host) => fetchFrom(host).catch((error) => error.reason));
    await expect.poll(() => hanging(20).every((name) => dns.asked.has(name))).toBe(true);

    const others = [
      fetchFrom('cal.example').then(({ text }) => text),
      // The driver asks the system.
      lookup('localhost').then(() => 'found'),
    ];
    expect(await Promise.race([Promise.all(others), ...asked])).toEqual(['hello', 'found']);

    // Nobody had to cancel them.
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['unreachable']));
  });

  test('are given up when the request is (security C125)', async () => {
    const fetchFrom = open({ ...here, lookUp: () => new Promise(() => {}) });

    await expect(fetchFrom('late.example', 200)).rejects.toThrow('timed_out');
  });

  test('are asked for no longer when the service stops (security C125)', async () => {
    const closing = new AbortController();
    const asked = lookUp('stopped.example', closing.signal);
    await expect.poll(() => dns.asked.has('stopped.example')).toBe(true);
    // A question that nobody ends is given up by itself, sooner or later than another.
    expect(getEventListeners(closing.signal, 'abort')).toHaveLength(1);
    const waiting = lookUp('waiting.example', AbortSignal.timeout(10_000)).then(() => 'given up by itself');
    closing.abort();

    expect(await Promise.race([asked, waiting])).toEqual([]);
    await waiting;
  });
});
