import { describe, expect, test } from 'vitest';
import { redirectOf, requestOf } from '../support/authorization.ts';
import { setClientStatus } from '../support/client-status.ts';
import { addPerson } from '../support/openid.ts';
import { textOf } from '../support/page-content.ts';
import { developerHome, submitClient } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, openAuthorizePage } from '../support/world.ts';

const service = await openTestService();
const without = await openAnotherInstance(service, { PARTS: 'all,-openid' });
const { cookie } = await addPerson(service);

async function ownApp() {
  const { id, cookie: owner } = await submitClient(service, { scopes: 'BOOKING_READ' });
  await setClientStatus(service.database.db, id, 'accepted');
  const request = { client_id: id, redirect_uri: 'https://desk.example/callback', response_type: 'code' };
  const read = async (path = '', at = service) =>
    (await at.app.inject({ url: `${developerHome}/${id}${path}`, headers: { cookie: owner } })).body;
  return { id, request, read };
}

describe('openid that an app isn’t registered for (security C306)', () => {
  test.each([{ nonce: 'n' }, { prompt: 'none' }, { id_token_hint: 'a.b.c' }])(
    'is invalid_scope in a request that is nothing but a sign-in: %j',
    async (sign) => {
      const client = await addClient(service, { scopes: ['BOOKING_READ'] });
      const asked = requestOf(client, {
        scope: 'openid BOOKING_READ',
        response_type: 'code',
        state: 's',
        ...sign,
      });

      for (const at of [service, without]) {
        const answer = await openAuthorizePage(at, asked, cookie);

        expect(Object.fromEntries(redirectOf(answer).parameters)).toMatchObject({
          error: 'invalid_scope',
          error_description: 'openid_not_registered',
          state: 's',
        });
      }
    },
  );

  test('is refused to nobody who isn’t signed in but silently, as no error is (contract §3, RFC 9700 §4.11.2)', async () => {
    const client = await addClient(service, { scopes: ['BOOKING_READ'] });
    const asked = (changes: Record<string, string>) =>
      openAuthorizePage(service, requestOf(client, { scope: 'openid', response_type: 'code', ...changes }));

    const [shown, silent] = [await asked({ nonce: 'n' }), await asked({ prompt: 'none' })];

    expect(shown.headers.location).toMatch(/^\/signin/);
    expect(silent.headers.location).toContain('error=invalid_scope');
  });

  test('counts as absent in every other request, and full access signs nobody in (contract §6)', async () => {
    const [some, full] = [await addClient(service, { scopes: ['BOOKING_READ'] }), await addClient(service)];

    for (const client of [some, full]) {
      const page = await openAuthorizePage(
        service,
        requestOf(client, { scope: 'openid profile email' }),
        cookie,
      );
      expect(page.statusCode).toBe(200);
    }
  });

  test('is told to the owner, with the link that mends it, until it is registered', async () => {
    const { id, request, read } = await ownApp();
    const before = await read();
    await openAuthorizePage(service, { ...request, scope: 'openid' }, cookie);
    await openAuthorizePage(service, { ...request, scope: 'openid', nonce: 'n' }, cookie);

    const [page, failed] = [await read(), await read('/failed-requests')];

    expect(textOf(before)).not.toContain('asked for openid');
    expect(textOf(page)).toContain('asked for openid, which it isn’t registered for');
    expect(page).toContain(`<a href="${developerHome}/${id}/edit">Register it for openid</a>`);
    expect(textOf(failed)).toContain('so it was refused');
    expect(textOf(failed)).toContain('so it went on without, and there is no id_token');
    expect(failed).toContain(`<a href="${developerHome}/${id}/edit">Edit the app’s scopes</a>`);
    expect(textOf(await read('', without))).not.toContain('asked for openid');
  });

  test('is told of no more often than a limit, as anybody can send such requests (security C306)', async () => {
    const { request, read } = await ownApp();
    for (let index = 0; index < 40; index += 1)
      await openAuthorizePage(service, { ...request, scope: 'openid', prompt: 'none' });

    const failed = await read('/failed-requests');

    expect(failed.split('so it was refused').length - 1).toBe(20);
  });
});
