import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Loopback, private, link-local, CGNAT, multicast, reserved, and IPv6 forms that carry an IPv4
 * address (mapped, NAT64, 6to4, Teredo) aren't.
 */
export function isPublicAddress(text: string): boolean {
  // A zone names one of our own links (RFC 4007 §11).
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}
