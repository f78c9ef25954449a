interface Organization {
  readonly slug: string;
  readonly isPlatform: boolean;
}

export interface AddressedEventType {
  readonly eventType: { readonly slug: string };
  readonly user: { readonly username: string | null; readonly managingClientId: string | null } | null;
  readonly userOrganization: Organization | null;
  readonly team: { readonly slug: string } | null;
  readonly teamOrganization: Organization | null;
}

export interface BookingHosts {
  readonly appUrl: string;
  /** Subdomains of this host, which may have a port, belong to regular organizations. */
  readonly orgHost: string | undefined;
}

/** Is empty for users without a page: managed, or without a username (contract §8, bookingUrl). */
export function bookingUrlOf(
  { eventType, user, userOrganization, team, teamOrganization }: AddressedEventType,
  hosts: BookingHosts,
): string {
  if (team === null && (!user?.username || user.managingClientId !== null)) return '';
  const path = team === null ? [user?.username ?? ''] : ['team', team.slug];
  const origin = originOf(team === null ? userOrganization : teamOrganization, hosts);
  return [origin, ...[...path, eventType.slug].map(encodeURIComponent)].join('/');
}

/** Returns a regular organization's subdomain, or the general address. */
export function originOf(organization: Organization | null, { appUrl, orgHost }: BookingHosts): string {
  const general = appUrl.replace(/\/+$/, '');
  if (organization === null || organization.isPlatform || orgHost === undefined) return general;
  const scheme = general.slice(0, general.indexOf('://'));
  return `${scheme}://${organization.slug}.${orgHost.replace(/\/+$/, '')}`;
}

/** The other addresses of teams and organizations (contract §8, bookingUrl). */
export const publicPages = {
  teamAddress: (
    { slug, organization }: { readonly slug: string; readonly organization: Organization | null },
    hosts: BookingHosts,
  ): string => `${originOf(organization, hosts)}/team/${slug}`,
  organizationAddress: (slug: string, hosts: BookingHosts): string | undefined =>
    hosts.orgHost === undefined ? undefined : originOf({ slug, isPlatform: false }, hosts),
};

/** Reads one label before `orgHost`, whether or not the organization exists. */
export function organizationSlugOf(host: string | undefined, { appUrl, orgHost }: BookingHosts) {
  if (host === undefined || orgHost === undefined) return undefined;
  const named = host.toLowerCase();
  const [, generalHost] = appUrl.split('://');
  if (named === generalHost || !named.endsWith(`.${orgHost}`)) return undefined;
  const slug = named.slice(0, -orgHost.length - 1);
  return /^[a-z0-9-]+$/.test(slug) ? slug : undefined;
}
