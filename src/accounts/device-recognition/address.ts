import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import ipaddr from 'ipaddr.js';

/** An IPv6 network is a /64: its owner has all addresses in it. */
const networkBytes = 8;
const wideNetworkBytes = 6;

/** Reported by the proxies of TRUSTED_PROXIES, or the proxy's own where that is no address. */
export function clientAddressOf(request: FastifyRequest): string {
  return normalAddressOf(request.ip) ?? normalAddressOf(request.socket.remoteAddress) ?? 'unknown';
}

function normalAddressOf(address: string | undefined): string | undefined {
  if (address === undefined || isIP(address) === 0) return undefined;
  // The zone names an interface of this machine.
  return ipaddr.process(address.replace(/%.*$/, '')).toString();
}

/** One visitor to rate limits: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? prefixOf(address, networkBytes) : address;
}

/** The /48 of an IPv6 address, which one customer of a provider may have; undefined for IPv4. */
export function wideNetworkOf(address: string): string | undefined {
  return isIP(address) === 6 ? `${prefixOf(address, wideNetworkBytes)}/48` : undefined;
}

function prefixOf(address: string, length: number): string {
  const bytes = ipaddr.parse(address).toByteArray();
  return ipaddr.fromByteArray(bytes.map((byte, index) => (index < length ? byte : 0))).toString();
}

/**
 * Warns once of a proxy that TRUSTED_PROXIES doesn't name: its visitors would share one rate limit.
 */
export const proxyWarningPlugin = fp(
  async (app) => {
    let isWatching = app.config.trustedProxies.length === 0;
    app.addHook('onRequest', async (request) => {
      if (!isWatching || request.headers['x-forwarded-for'] === undefined) return;
      isWatching = false;
      request.log.warn(
        'a request brought X-Forwarded-For: if it came through a proxy, name it in TRUSTED_PROXIES',
      );
    });
  },
  { name: 'proxy-warning', dependencies: ['platform'] },
);
