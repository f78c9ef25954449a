import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** The bits of an IPv6 address that name a network: whoever has one has all addresses in it. */
const networkBytes = 8;

/**
 * The address that a request comes from. Behind the proxies of TRUSTED_PROXIES it is the one that they tell; what such a proxy passes
 * on unread may be no address at all, and then it is the proxy's own.
 */
export function clientAddressOf(request: FastifyRequest): string {
  return normalAddressOf(request.ip) ?? normalAddressOf(request.socket.remoteAddress) ?? 'unknown';
}

function normalAddressOf(address: string | undefined): string | undefined {
  if (address === undefined || isIP(address) === 0) return undefined;
  // Without the zone, which is this machine's name for a cable.
  return ipaddr.process(address.replace(/%.*$/, '')).toString();
}

/**
 * Tells the operator, once, of a proxy that nobody has named: all its visitors would be counted as one, and one of them could use up what
 * all have.
 */
export function warnOfUnnamedProxy(app: FastifyInstance, trustedProxies: readonly string[]): void {
  let isToWarn = trustedProxies.length === 0;
  app.addHook('onRequest', async (request) => {
    if (!isToWarn || request.headers['x-forwarded-for'] === undefined) return;
    isToWarn = false;
    request.log.warn(
      'a request brought X-Forwarded-For: if it came through a proxy, name it in TRUSTED_PROXIES',
    );
  });
}

/** What stands for one visitor in a count: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const bytes = ipaddr.parse(address).toByteArray();
  return ipaddr.fromByteArray(bytes.map((byte, index) => (index < networkBytes ? byte : 0))).toString();
}
