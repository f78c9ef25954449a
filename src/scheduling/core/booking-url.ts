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
  /** The host whose subdomains belong to regular organizations, perhaps with a port; undefined: all use the general address. */
  readonly orgHost: string | undefined;
}

/**
 * The full address at which people book an event type (contract §8, bookingUrl): below the subdomain of a regular organization, else below the general
 * address; empty for a managed user and for a user without a username, who have no page.
 */
export function bookingUrlOf(owner: EventTypeOwner, slug: string, hosts: BookingHosts): string {
  if (owner.kind === 'user' && (owner.isManaged || !owner.username)) return '';
  const path = owner.kind === 'team' ? ['team', owner.slug, slug] : [owner.username ?? '', slug];
  return [originOf(owner.organization, hosts), ...path.map(encodeURIComponent)].join('/');
}

/** The origin of the booking pages of a regular organization's people and teams, and of everybody else's. */
export function originOf(
  organization: EventTypeOwner['organization'],
  { appUrl, orgHost }: BookingHosts,
): string {
  const general = appUrl.replace(/\/+$/, '');
  if (organization === undefined || organization.isPlatform || orgHost === undefined) return general;
  const scheme = general.slice(0, general.indexOf('://'));
  return `${scheme}://${organization.slug}.${orgHost.replace(/\/+$/, '')}`;
}
