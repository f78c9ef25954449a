/** Whose event type it is, as far as its public address goes. */
export type EventTypeOwner =
  | {
      readonly kind: 'user';
      readonly username: string | null;
      /** Made by a platform's client; such a user has no public page. */
      readonly isManaged: boolean;
      readonly organization: { readonly slug: string; readonly isPlatform: boolean } | undefined;
    }
  | {
      readonly kind: 'team';
      readonly slug: string;
      readonly organization: { readonly slug: string; readonly isPlatform: boolean } | undefined;
    };

/** Where booking pages are. */
export interface BookingHosts {
  /** The general address, with or without a slash at its end. */
  readonly appUrl: string;
  /**
   * The host whose subdomains belong to regular organizations, perhaps with a port; undefined: all
   * use the general address.
   */
  readonly orgHost: string | undefined;
}

/**
 * The address at which people book an event type (contract §8, bookingUrl); empty for managed users
 * and for users without a username, who have no page.
 */
export function bookingUrlOf(owner: EventTypeOwner, slug: string, hosts: BookingHosts): string {
  if (owner.kind === 'user' && (owner.isManaged || !owner.username)) return '';
  const path = owner.kind === 'team' ? ['team', owner.slug, slug] : [owner.username ?? '', slug];
  return [originOf(owner.organization, hosts), ...path.map(encodeURIComponent)].join('/');
}

/** Where booking pages are: a regular organization's subdomain, or the general address. */
export function originOf(
  organization: EventTypeOwner['organization'],
  { appUrl, orgHost }: BookingHosts,
): string {
  const general = appUrl.replace(/\/+$/, '');
  if (organization === undefined || organization.isPlatform || orgHost === undefined) return general;
  const scheme = general.slice(0, general.indexOf('://'));
  return `${scheme}://${organization.slug}.${orgHost.replace(/\/+$/, '')}`;
}

/**
 * The organization whose subdomain a Host header names: exactly one label before the configured
 * host, port included. Undefined for the general address and any other header. The organization
 * may not exist.
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
