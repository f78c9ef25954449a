import type { BookingHosts } from './booking-url.ts';

/**
 * The organization whose subdomain a Host header names: exactly one label before the configured host, port included. Undefined for the general
 * address and for whatever else somebody writes into the header; whether there is such an organization is not known here.
 */
export function organizationSlugOf(
  host: string | undefined,
  { appUrl, orgHost }: BookingHosts,
): string | undefined {
  if (host === undefined || orgHost === undefined) return undefined;
  const named = host.toLowerCase();
  const [, generalHost] = appUrl.split('://');
  if (named === generalHost || !named.endsWith(`.${orgHost}`)) return undefined;
  const slug = named.slice(0, -orgHost.length - 1);
  return /^[a-z0-9-]+$/.test(slug) ? slug : undefined;
}
