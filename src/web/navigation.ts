import { scopedPlugin } from '../platform/scoped-plugin.ts';
import { type IconName, icon } from './assets.ts';

export type Navigation = ReturnType<typeof navigationOf>;

const main = [
  ['/bookings', 'Bookings'],
  ['/settings/event-types', 'Event types'],
  ['/settings/availability', 'Availability'],
  ['/settings/apps', 'Apps'],
  ['/settings/developer/oauth', 'Developer'],
  ['/docs', 'Docs'],
] as const;

const settings: Readonly<Record<string, readonly (readonly [string, string, IconName])[]>> = {
  Account: [
    ['/settings/profile', 'Profile', 'user'],
    ['/settings/password', 'Password', 'key'],
    ['/settings/security', 'Security', 'shield'],
    ['/settings/sessions', 'Sessions', 'monitor'],
    ['/settings/apps', 'Connected apps', 'grid'],
    ['/settings/activity', 'Account activity', 'activity'],
    ['/settings/data', 'Your data', 'download'],
  ],
  Scheduling: [
    ['/settings/event-types', 'Event types', 'calendar'],
    ['/settings/availability', 'Availability', 'clock'],
    ['/settings/calendars', 'Calendars', 'link'],
  ],
  People: [
    ['/settings/teams', 'Teams', 'users'],
    ['/settings/organization', 'Organization', 'briefcase'],
  ],
  Developer: [
    ['/settings/developer/oauth', 'Your apps', 'code'],
    ['/settings/webhooks', 'Webhooks', 'send'],
  ],
  Admin: [
    ['/settings/admin/oauth', 'Review', 'check-square'],
    ['/settings/admin/accounts', 'Accounts', 'user-check'],
    ['/settings/admin/audit', 'Audit log', 'file-text'],
    ['/settings/admin/outbox', 'Outgoing email', 'mail'],
  ],
};

export function navigationOf(path: string, isAdmin: boolean) {
  /** Of `aria-current`: the page itself, or one above it. */
  const current = (address: string) => {
    if (path === address) return 'page';
    return path.startsWith(`${address}/`) ? 'true' : undefined;
  };
  return {
    main: main.map(([address, words]) => ({ address, words, current: current(address) })),
    /** Of the settings, and of the account menu. */
    groups: Object.entries(settings)
      .filter(([heading]) => isAdmin || heading !== 'Admin')
      .map(([heading, links]) => ({
        heading,
        links: links.map(([address, words, name]) => ({
          address,
          words,
          current: current(address),
          icon: icon(name),
        })),
      })),
  };
}

/** What people type, or remember from other services. */
const usualAddresses = {
  '/login': '/signin',
  '/register': '/signup',
  '/settings': '/settings/profile',
  '/settings/developer': '/settings/developer/oauth',
  '/developers': '/settings/developer/oauth',
  '/docs/': '/docs',
};

export const usualAddressesPlugin = scopedPlugin('usual-addresses', ['page-scope'], async (app) => {
  for (const [from, to] of Object.entries(usualAddresses))
    app.get(from, async (_request, reply) => reply.redirect(to, 303));
});
