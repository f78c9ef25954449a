import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Returns what TRUSTED_PROXIES report, or the proxy's own address where that is no address. */
export function clientAddressOf(request: FastifyRequest): string {
  return normalAddressOf(request.ip) ?? addressOfPeer(request.socket);
}

/** Returns the address of a connection: a proxy's, where there is one. */
export function addressOfPeer({ remoteAddress }: { readonly remoteAddress?: string | undefined }): string {
  return normalAddressOf(remoteAddress) ?? 'unknown';
}

function normalAddressOf(address: string | undefined): string | undefined {
  if (address === undefined || isIP(address) === 0) return undefined;
  // The zone names an interface of this machine.
  return ipaddr.process(address.replace(/%.*$/, '')).toString();
}

/** Returns an IPv4 address, or an IPv6 address's /64, which has one owner. */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? prefixOf(address, 64) : address;
}

/** Returns an IPv6 address's /48, which one customer may have; undefined for IPv4. */
export function wideNetworkOf(address: string): string | undefined {
  return isIP(address) === 6 ? `${prefixOf(address, 48)}/48` : undefined;
}

/** Returns the network of an address, and a provider's around it. */
export function networksOf(address: string): readonly [string, string] {
  return [networkOf(address), prefixOf(address, isIP(address) === 6 ? 32 : 16)];
}

function prefixOf(address: string, bits: number): string {
  if (isIP(address) === 0) return address;
  const bytes = ipaddr.parse(address).toByteArray();
  return ipaddr.fromByteArray(bytes.map((byte, index) => (index < bits / 8 ? byte : 0))).toString();
}
