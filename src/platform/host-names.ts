import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Returns all addresses of a host; none also when nobody answers. The signal ends the question. */
export type LookUp = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** The second try takes twice as long, which the limit has room for. */
const tryMs = 1000;
const tries = 2;
const limitMs = 4000;

/**
 * Two hanging names would block all threads of `dns.lookup`, whatever the limit (security C125).
 */
export function createLookUp(nameServers?: readonly string[], hostsFile = '/etc/hosts'): LookUp {
  let hosts: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  return async (host, signal) => {
    hosts ??= readHosts(hostsFile);
    const listed = (await hosts).get(host.replace(/\.$/, ''));
    return listed ?? askNameServers(host, nameServers, signal);
  };
}

/** Adds localhost, whether it is listed or not (RFC 6761 §6.3). */
async function readHosts(file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const hosts = new Map<string, readonly string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((written) => written.toLowerCase()))
      hosts.set(name, ipv4First([...(hosts.get(name) ?? []), address]));
  }
  return hosts.has('localhost') ? hosts : hosts.set('localhost', ['127.0.0.1', '::1']);
}

/** A resolver of its own lets only this question end. */
async function askNameServers(host: string, nameServers: readonly string[] | undefined, signal: AbortSignal) {
  const resolver = new Resolver({ timeout: tryMs, tries });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = (): void => resolver.cancel();
  const timer = setTimeout(cancel, limitMs);
  signal.addEventListener('abort', cancel); // protects: C125
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function ipv4First(addresses: readonly string[]): readonly string[] {
  return addresses.toSorted((one, other) => isIP(one) - isIP(other));
}
