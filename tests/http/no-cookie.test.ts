import { describe, expect, test } from 'vitest';
import { allCookiesOf } from '../support/accounts.ts';
import { addOnPage, createAuthenticator, firstPath, openAsking } from '../support/authenticator.ts';
import { textOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addUser, hiddenFieldsOf, postForm, startSession } from '../support/world.ts';

const service = await sharedService();
const words = 'Your browser didn’t keep the cookie that signs you in.';
const get = (url: unknown, cookie?: string) =>
  service.app.inject({ url: String(url), headers: cookie === undefined ? {} : { cookie } });

describe('a browser that keeps no cookie is told so (contract §1)', () => {
  test.each(['/', '/settings/apps'])('after the right password, on the way to %s', async (to) => {
    const { email, password } = await addUser(service);
    const sent = await postForm(service, '/signin', { email, password, return_to: to });

    const blocked = await get(sent.headers.location);
    const kept = await get(sent.headers.location, allCookiesOf(sent));

    expect([sent.statusCode, blocked.statusCode]).toEqual([303, 400]);
    expect(textOf(blocked.body)).toContain(words);
    expect(hiddenFieldsOf(blocked.body)['return_to']).toBe(to);
    expect([kept.statusCode, kept.headers.location]).toEqual(to === '/' ? [303, '/'] : [200, undefined]);
    expect(textOf(kept.body)).not.toContain(words);
  });

  test('before the second factor', { tags: 'parts' }, async () => {
    const user = await addUser(service);
    await addOnPage(service, await startSession(service, user), createAuthenticator(service));
    const sent = await postForm(service, '/signin', { email: user.email, password: user.password });

    const referer = `${service.appUrl}/signin`;
    const blocked = await service.app.inject({ url: String(sent.headers.location), headers: { referer } });

    expect([blocked.statusCode, textOf(blocked.body).includes(words)]).toEqual([400, true]);
    expect((await get(sent.headers.location, allCookiesOf(sent))).statusCode).toBe(200);
  });

  test('with a passkey instead of the password', { tags: 'parts' }, async () => {
    const user = await addUser(service);
    const authenticator = createAuthenticator(service);
    await addOnPage(service, await startSession(service, user), authenticator);
    const { page, options } = await openAsking(service, firstPath);
    const fields = { ...hiddenFieldsOf(page.body), credential: authenticator.get(options) };

    const answer = await postForm(service, firstPath, fields);

    expect([answer.statusCode, textOf(answer.body).includes(words)]).toEqual([401, true]);
  });

  test('and one that was signed out is not', async () => {
    const sent = await postForm(
      service,
      '/signin',
      await addUser(service).then(({ email, password }) => ({ email, password })),
    );
    const device = allCookiesOf(sent)
      .split('; ')
      .find((cookie) => cookie.includes('device'));

    const answer = await get('/signin/continue?return_to=%2Fsettings%2Fapps', device);

    expect([answer.statusCode, answer.headers.location]).toEqual([
      303,
      '/signin?return_to=%2Fsettings%2Fapps',
    ]);
  });
});
