import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients, logos } from '../../src/oauth/tables.ts';
import { sharedService } from '../support/service.ts';
import { issueTokens } from '../support/tokens.ts';
import { addClient } from '../support/world.ts';

const service = await sharedService();
const { access_token: token } = await issueTokens(service, await addClient(service));

const path = '/v2/auth/oauth2/clients';
const headers = { authorization: `Bearer ${token}` };
const lookUp = (id: string) => service.app.inject({ url: `${path}/${id}`, headers });

describe('GET /v2/auth/oauth2/clients/{client_id} (contract §2)', () => {
  test.each(['confidential', 'public'] as const)(
    'shows a %s client, and no more than the contract lists',
    async (type) => {
      const redirectUris = ['https://one.example/callback', 'https://two.example/callback'] as const;
      const client = await addClient(service, { type, name: 'Café “Ölmühle” & Söhne', redirectUris });

      const answer = await lookUp(client.id);

      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({
        status: 'success',
        data: {
          client_id: client.id,
          name: 'Café “Ölmühle” & Söhne',
          redirect_uri: redirectUris[0],
          redirect_uris: redirectUris,
          logo: null,
          client_type: type,
          is_trusted: false,
        },
      });
    },
  );

  test('names the logo by its whole address at the pages (contract §2)', async () => {
    const { id } = await addClient(service);
    const logo = {
      id: 'e'.repeat(32),
      clientId: id,
      mediaType: 'image/png',
      content: new Uint8Array([1]),
    } as const;
    await service.database.db.insert(logos).values({ ...logo, createdAt: service.clock.now() });
    await service.database.db.update(clients).set({ logoId: logo.id }).where(eq(clients.id, id));

    const answer = await lookUp(id);

    expect(answer.json().data).toMatchObject({ logo: `${service.appUrl}/logos/${logo.id}` });
  });

  test.each(['pending', 'accepted', 'rejected'] as const)(
    'shows a client that is %s, and not that it is',
    async (status) => {
      const client = await addClient(service, { status });

      const answer = await lookUp(client.id);

      expect(answer.statusCode).toBe(200);
      expect(answer.json().data).toMatchObject({ client_id: client.id });
      expect(answer.body).not.toContain(status);
    },
  );

  test.each([
    ['an id that nobody has', 'unknown'],
    ['one that is longer than any', 'a'.repeat(1000)],
    ['SQL', encodeURIComponent("' or 1=1 --")],
    ['a slash', 'a%2Fb'],
  ])('answers 404 in the general shape to %s (S)', async (_name, id) => {
    const answer = await lookUp(id);

    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      status: 'error',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      path: `${path}/${id}`,
      error: { code: 'NotFound', message: expect.any(String), details: {} },
    });
  });
});
