import { eq } from 'drizzle-orm';
import { type Leaving, tellCount } from '../accounts/deletion/leaving.ts';
import { countConnectedClients } from './connected-apps/store.ts';
import { clients } from './tables.ts';

export const oauthLeaving: Leaving = {
  async tell(app, userId) {
    const connected = await countConnectedClients(app, userId);
    const own = await app.db.$count(clients, eq(clients.ownerId, userId));
    return [
      ...tellCount(
        '{count, plural, one {# connected app} other {# connected apps}} can no longer access your account.',
        connected,
      ),
      ...tellCount(
        '{count, plural, one {# app that you registered is deleted, with all access that users gave.} other {# apps that you registered are deleted, with all access that users gave.}}',
        own,
      ),
    ];
  },
};
