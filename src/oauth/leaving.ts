import { eq } from 'drizzle-orm';
import { type Leaving, tellCount } from '../accounts/deletion/leaving.ts';
import { countConnectedClients } from './connected-apps/store.ts';
import { clients } from './tables.ts';

export const oauthLeaving: Leaving = {
  async tell({ config, db, runtime }, userId) {
    const connected = await countConnectedClients(db, userId, config.lifetimes, runtime.now());
    const own = await db.$count(clients, eq(clients.ownerId, userId));
    return [
      ...tellCount(connected, '1 connected app', 'connected apps', 'can no longer access your account.'),
      ...tellCount(
        own,
        '1 app that you registered is',
        'apps that you registered are',
        'deleted, with all access that users gave.',
      ),
    ];
  },
};
