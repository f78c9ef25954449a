/** The owner, as far as the public URL depends on it. */
export type EventTypeOwner =
  | {
      readonly kind: 'user';
      readonly username: string | null;
      /** Has no public page. */
      readonly isManaged: boolean;
      readonly organization: { readonly slug: string; readonly isPlatform: boolean } | undefined;
    }
  | {
      readonly kind: 'team';
      readonly slug: string;
      readonly organization: { readonly slug: string; readonly isPlatform: boolean } | undefined;
    };

export interface BookingHosts {
  /** A slash at the end is allowed. */
  readonly appUrl: string;
  /** Its subdomains belong to regular organizations; may have a port. Undefined: they have none. */
  readonly orgHost: string | undefined;
}

/** Empty for users without a page: managed, or without a username (contract §8, bookingUrl). */
export function bookingUrlOf(owner: EventTypeOwner, slug: string, hosts: BookingHosts): string {
  if (owner.kind === 'user' && (owner.isManaged || !owner.username)) return '';
  const path = owner.kind === 'team' ? ['team', owner.slug, slug] : [owner.username ?? '', slug];
  return [originOf(owner.organization, hosts), ...path.map(encodeURIComponent)].join('/');
}

/** A regular organization's subdomain, or the general address. */
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
 * The organization whose subdomain a Host header names, whether or not it exists: exactly one label
 * before the configured host, port included.
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
