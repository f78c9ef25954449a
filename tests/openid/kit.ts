import { randomUUID } from 'node:crypto';
import { openidRequests } from '../../src/openid/tables.ts';
import type { Kit } from '../support/kits.ts';

export const kit: Kit = {
  async fill({ database }, _user, createdAt) {
    const request = { nonce: 'n-77', authenticatedAt: createdAt, issuedAt: createdAt };
    await database.db.insert(openidRequests).values({ grantId: randomUUID(), ...request });
  },
};
