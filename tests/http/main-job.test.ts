import { expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';
import { addClient, addUser, callMe, connect, refresh, startSession } from '../support/world.ts';

const service = await sharedService();

test.each(['confidential', 'public'] as const)(
  'a %s client gets tokens, calls /v2/me and refreshes (contract §3 to §5)',
  async (type) => {
    const user = await addUser(service);
    const client = await addClient(service, { type });
    const cookie = await startSession(service, user);

    const tokens = await connect(service, client, cookie);
    const me = await callMe(service, tokens.access_token);
    const refreshed = await refresh(service, client, tokens.refresh_token);

    expect(me.statusCode).toBe(200);
    expect(me.json()).toMatchObject({
      status: 'success',
      data: { id: user.id, email: user.email, username: user.username },
    });
    expect(refreshed.statusCode).toBe(200);
    expect(refreshed.json()).toMatchObject({ token_type: 'bearer', expires_in: 1800 });
  },
);
