import type { Part } from '../platform/parts.ts';
import { managedUsersPlugin } from './routes.ts';
import { maxManagedUsers } from './store.ts';

/**
 * Users that a platform's client makes and manages with its secret, without password or pages.
 * Without it none is made, changed or deleted; those that exist keep their tokens and bookings.
 */
export const managedUsersPart = {
  v2: {
    byClient: [{ plugin: managedUsersPlugin, prefix: '/oauth-clients/:clientId/users' }],
  },
  limits: { 'an app, with its secret': [[maxManagedUsers, 'managed users']] },
} as const satisfies Part;
