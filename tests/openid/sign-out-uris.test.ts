import { describe, expect, test } from 'vitest';
import { setClientStatus } from '../support/client-status.ts';
import { textOf, typedIn } from '../support/page-content.ts';
import {
  developerHome,
  findClientRow,
  findEditRow,
  mailTo,
  register,
  reviewDecisions,
  reviewHome,
  submitClient,
  submitEdit,
} from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await openTestService();
const without = await openAnotherInstance(service, { PARTS: 'all,-openid' });
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);

const field = 'post_logout_redirect_uris';
const uris = ['https://desk.example/bye', 'https://other.example/?from=us'];
const lines = { [field]: uris.join('\r\n') };
const open = async (url: string, cookie: string, at = service) =>
  (await at.app.inject({ url, headers: { cookie } })).body;

/** Sends the browser to sign out for the app, and answers where it ends. */
const endOf = async (id: string, uri: string) => {
  const query = new URLSearchParams({ client_id: id, post_logout_redirect_uri: uri });
  return (await service.app.inject(`/auth/oauth2/logout?${query.toString()}`)).headers.location;
};

describe('sign-out URIs of an app (contract §2; RP-Initiated Logout, section 3)', () => {
  test('are registered, named to the reviewer and the owner, and lead back once the app is approved', async () => {
    const { id, cookie } = await submitClient(service, lines);
    const [own, review] = [
      await open(`${developerHome}/${id}`, cookie),
      await open(`${reviewHome}/${id}`, adminCookie),
    ];
    const before = await endOf(id, 'https://desk.example/bye');
    await reviewDecisions.accept(service, id, adminCookie);

    expect((await findClientRow(service, id))?.postLogoutRedirectUris).toEqual(uris);
    for (const page of [own, review]) for (const uri of uris) expect(textOf(page)).toContain(uri);
    const email = (await mailTo(service, admin.email)).find(({ text }) => text.includes(id));
    expect(email?.text).toContain('https://other.example/?from=us');
    expect(before).toBeUndefined();
    expect(await endOf(id, 'https://desk.example/bye')).toBe('https://desk.example/bye');
  });

  test('of an approved app change by a review, which names what changes', async () => {
    const { id, cookie } = await submitClient(service, lines);
    await setClientStatus(service.database.db, id, 'accepted');

    await submitEdit(service, id, cookie, { [field]: 'https://desk.example/goodbye' });
    const review = textOf(await open(`${reviewHome}/${id}`, adminCookie));
    const waiting = await endOf(id, 'https://desk.example/goodbye');
    await reviewDecisions.accept(service, id, adminCookie);

    expect(review).toContain('Sign-out URIs');
    expect(review).toContain('https://desk.example/goodbye');
    expect(waiting).toBeUndefined();
    expect(await endOf(id, 'https://desk.example/goodbye')).toBe('https://desk.example/goodbye');
    expect(await endOf(id, 'https://desk.example/bye')).toBeUndefined();
  });

  test('can be removed again', async () => {
    const { id, cookie } = await submitClient(service, lines);

    await submitEdit(service, id, cookie, { [field]: ' ' });

    expect((await findClientRow(service, id))?.postLogoutRedirectUris).toEqual([]);
  });

  test('stay as they are where a form can’t show them, as while the part is off', async () => {
    const { id, cookie } = await submitClient(service, lines);
    await setClientStatus(service.database.db, id, 'accepted');
    const [form, hidden] = [
      await service.app.inject({ url: `${developerHome}/${id}/edit`, headers: { cookie } }),
      await open(`${developerHome}/${id}/edit`, cookie, without),
    ];

    await submitEdit(without, id, cookie, { website_url: 'https://desk.example' });

    expect(typedIn(form, field)).toBe(uris.join('\n'));
    expect(hidden).not.toContain(field);
    expect(await findEditRow(service, id)).toMatchObject({
      ...{ websiteUrl: 'https://desk.example', postLogoutRedirectUris: uris },
    });
  });

  test.each([
    ['http://desk.example/bye', 'can use http only on localhost'],
    ['https://desk.example/?state=1', 'can’t contain the parameter state'],
    ['com.example.app:/bye', 'only public apps can'],
    [Array.from({ length: 11 }, (_, index) => `https://desk.example/${index}`).join('\n'), 'these are 11'],
  ])('are checked as redirect URIs are: %s', async (uri, fault) => {
    const cookie = await startSession(service, await addUser(service));

    const answer = await register(service, cookie, { [field]: uri });

    expect(answer.statusCode).toBe(400);
    expect(textOf(answer.body)).toContain(fault);
    expect(typedIn(answer, field)).toBe(uri);
  });

  test('can contain other parameters of an authorization’s answer, and private schemes of public apps', async () => {
    const own = 'https://desk.example/?code=1&error=2\ncom.example.app:/bye';
    const { id } = await submitClient(service, { client_type: 'public', [field]: own });

    expect((await findClientRow(service, id))?.postLogoutRedirectUris).toEqual(own.split('\n'));
  });
});

describe('an address that an app hasn’t registered', () => {
  async function accepted() {
    const { id, cookie } = await submitClient(service, lines);
    await setClientStatus(service.database.db, id, 'accepted');
    const failed = async () => open(`${developerHome}/${id}/failed-requests`, cookie);
    return { id, failed };
  }

  test('is told to the owner, who reads what to register, without its query (security C361)', async () => {
    const { id, failed } = await accepted();

    await endOf(id, 'https://desk.example/bye/?token=secret');
    const page = await failed();

    expect(textOf(page)).toContain('It began with https://desk.example/bye/.');
    expect(page).toContain(`<a href="${developerHome}/${id}/edit">Edit the app’s sign-out URIs</a>`);
    expect(page).not.toContain('secret</code>');
    expect(page).not.toContain('token=secret');
  });

  test.each(['javascript:alert(1)', 'https://user:pass@desk.example/', '/relative', 'x'])(
    'isn’t shown if nobody could register it: %s',
    async (uri) => {
      const { id, failed } = await accepted();

      await endOf(id, uri);
      const page = textOf(await failed());

      expect(page).toContain('no address that can be registered');
      expect(page).not.toContain(uri.length > 1 ? uri : 'began with');
    },
  );

  test('is told of no more often than a limit, as anybody can send such requests', async () => {
    const { id, failed } = await accepted();
    for (let index = 0; index < 40; index += 1) await endOf(id, `https://desk.example/${index}`);

    expect((await failed()).split('wasn’t registered').length - 1).toBe(20);
  });
});
