import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Refuses all special ranges, and IPv6 forms that carry IPv4 (mapped, NAT64, 6to4, Teredo). */
export function isPublicAddress(text: string): boolean {
  // A zone names a local link (RFC 4007 §11).
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}

export function isWithinRanges(text: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return ranges.some((range) => {
    const [network, bits] = range.includes('/')
      ? ipaddr.parseCIDR(range)
      : ([ipaddr.parse(range), 128] as const);
    if (address.kind() !== network.kind()) return false;
    return address.match(network, address.kind() === 'ipv4' ? Math.min(bits, 32) : bits);
  });
}
