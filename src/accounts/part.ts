import type { Part } from '../platform/parts.ts';
import { pastLife } from '../platform/retention/store.ts';
import { accountsPlugin } from './admin/accounts.ts';
import { outboxPlugin } from './admin/outbox.ts';
import { overviewHome, overviewPlugin } from './admin/overview.ts';
import { activityPlugin, auditLogPlugin } from './audit/routes.ts';
import { finishDeletions } from './deletion/deletion.ts';
import { accountDeletionPlugin } from './deletion/routes.ts';
import { deletedAccounts } from './deletion/store.ts';
import { invitationsPlugin } from './groups/invitations/routes.ts';
import { invitationBelongings } from './groups/invitations/store.ts';
import { organizationsPlugin, teamsPlugin } from './groups/routes.ts';
import { maxMembers, maxOpen, maxTeams, maxTeamsOfOrganization } from './groups/rules.ts';
import { groupAudit, groupBelongings } from './groups/store.ts';
import { accountsHome, homePlugin } from './home.ts';
import { passwordChangePlugin } from './passwords/change.ts';
import { createPasswords } from './passwords/password.ts';
import { passwordResetPlugin } from './passwords/reset.ts';
import { personalDataPlugin } from './personal-data/routes.ts';
import { profilePlugin } from './profile/routes.ts';
import { sessionPagesPlugin } from './sessions/routes.ts';
import { maxDevicesOfUser, maxSessionsOfUser, sessionAudit } from './sessions/store.ts';
import { confirmPlugin, signInPlugin } from './sign-in/routes.ts';
import { signUpPlugin } from './sign-up/routes.ts';
import { expiredSignUps } from './sign-up/store.ts';
import { accountAudit, accountBelongings, maxFormerNames } from './store.ts';
import * as tables from './tables.ts';
import { emailChangePlugin, verificationPlugin } from './verification/routes.ts';

const auditSentences = { ...accountAudit, ...sessionAudit, ...groupAudit };

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, unknown> {}
}

/**
 * Accounts: sign-up, sign-in, profile, sessions, teams and organizations, administration. It
 * belongs to the door.
 */
export const accountsPart = {
  open: ({ options }) => ({
    capabilities: {
      passwords: createPasswords(options.passwordCost),
    },
    goOn: finishDeletions,
  }),
  data: {
    tables: [tables],
    atReset: { ended: 'open invitations of owners and admins are withdrawn', unproven: 'teams' },
    auditSentences,
    belongings: [...accountBelongings, ...groupBelongings, ...invitationBelongings],
    expired: [
      deletedAccounts,
      // Expired accounts go before the links by which they are found.
      expiredSignUps,
      // The index is on the end, which never changes. One on what requests update would cost more.
      pastLife(tables.sessions.expiresAt),
      pastLife(tables.waysBack.expiresAt),
      pastLife(tables.invitations.expiresAt),
      pastLife(tables.formerNames.expiresAt),
      // A browser that hasn't signed in for a year is new again.
      pastLife(tables.devices.lastSeenAt, 365),
      // Links mark accounts that are never verified, so they stay a day longer.
      pastLife(tables.emailVerifications.createdAt, 31),
    ],
  },
  routes: {
    pages: [
      homePlugin,
      signInPlugin,
      signUpPlugin,
      verificationPlugin,
      emailChangePlugin,
      confirmPlugin,
      passwordResetPlugin,
      passwordChangePlugin,
      profilePlugin,
      personalDataPlugin,
      accountDeletionPlugin,
      sessionPagesPlugin,
      teamsPlugin,
      organizationsPlugin,
      invitationsPlugin,
      overviewPlugin,
      outboxPlugin,
      accountsPlugin,
      auditLogPlugin,
      activityPlugin,
    ],
  },
  web: {
    navigation: [
      { group: 'Account', place: 110, address: '/settings/profile', words: 'Profile', icon: 'user' },
      { group: 'Account', place: 120, address: '/settings/password', words: 'Password', icon: 'key' },
      { group: 'Account', place: 140, address: '/settings/sessions', words: 'Sessions', icon: 'monitor' },
      {
        group: 'Account',
        place: 160,
        address: '/settings/activity',
        words: 'Account activity',
        icon: 'activity',
      },
      { group: 'Account', place: 170, address: '/settings/data', words: 'Your data', icon: 'download' },
      { group: 'People', place: 310, address: '/settings/teams', words: 'Teams', icon: 'users' },
      {
        group: 'People',
        place: 320,
        address: '/settings/organization',
        words: 'Organization',
        icon: 'briefcase',
      },
      { group: 'Admin', place: 500, address: overviewHome, words: 'Overview', icon: 'bar-chart-2' },
      {
        group: 'Admin',
        place: 520,
        address: '/settings/admin/accounts',
        words: 'Accounts',
        icon: 'user-check',
      },
      { group: 'Admin', place: 530, address: '/settings/admin/audit', words: 'Audit log', icon: 'file-text' },
      {
        group: 'Admin',
        place: 540,
        address: '/settings/admin/outbox',
        words: 'Outgoing email',
        icon: 'mail',
      },
    ],
    unlisted: ['/settings/'],
    usualAddresses: { '/login': '/signin', '/register': '/signup', '/settings': '/settings/profile' },
  },
  accounts: {
    home: accountsHome,
  },
  metrics: {
    dailyNumbers: [
      { name: 'accounts', words: 'New accounts', counter: 'audit_events', values: 'user.created' },
    ],
  },
  limits: {
    'an account': [
      [maxSessionsOfUser, 'sessions: the one unused for longest ends'],
      [maxDevicesOfUser, 'known browsers: the oldest end'],
      [maxFormerNames, 'former names'],
      [maxTeams, 'teams'],
      [1, 'organization'],
    ],
    'a team or organization': [
      [maxMembers, 'members'],
      [maxOpen, 'open invitations'],
    ],
    'an organization': [[maxTeamsOfOrganization, 'teams']],
  },
} as const satisfies Part;
