import { eq } from 'drizzle-orm';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { expect, test } from 'vitest';
import { sessions } from '../../src/accounts/tables.ts';
import { digestTables } from '../support/database-content.ts';
import { startVisit } from '../support/on-the-way.ts';
import { titleOf } from '../support/page-content.ts';
import { formTokenOf } from '../support/registration.ts';
import { recordingRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';
import { addUser, deviceCookieOf, postForm, signIn } from '../support/world.ts';

/** Bodies as they come to the routes, before these read them. */
const bodies: unknown[] = [];
const note = async ({ body }: FastifyRequest): Promise<void> => void bodies.push(body);
const [service, routes] = await recordingRoutes(
  () => openTestService(),
  (route) => {
    route.preValidation = [route.preValidation ?? [], note].flat();
  },
);
const { db } = service.database;
/** Programs come to these, and no session counts there. */
const isForPrograms = (url: string): boolean => /^\/(?:v2|mcp)(?:\/|$)|\/register$/.test(url);
const methodsOf = ({ method }: RouteOptions): readonly string[] => [method].flat();

const posts = routes.flatMap((route) => {
  const isChange = methodsOf(route).some((verb) => !['GET', 'HEAD', 'OPTIONS'].includes(verb));
  const { url, config } = route;
  return isChange && !isForPrograms(url) ? [{ url, reason: config?.oldSignInBecause }] : [];
});
const guarded = posts.filter(({ reason }) => reason === undefined).map(({ url }) => url);
/** Five hours, and six days: an idle session ends after seven. */
const ages = [5 * 3600, 6 * 86_400];

const typed = {
  title: 'Größe & <b>"quotes"</b> + %20',
  notes: 'two\r\nlines, and many more '.repeat(100),
  triggers: ['one', 'two'],
  'rows.0.name': '',
};

/** A person who signed in so many seconds ago. */
async function open(seconds = 0) {
  const user = await addUser(service, { isAdmin: true });
  const cookie = await signIn(service, user);
  const createdAt = new Date(service.clock.now().getTime() - seconds * 1000);
  await db.update(sessions).set({ createdAt }).where(eq(sessions.userId, user.id));
  const tab = startVisit(service, `${cookie}; ${deviceCookieOf(service, user)}`);
  return { user, cookie, tab, form: { form_token: await formTokenOf(service, cookie), ...typed } };
}

const pathOf = (url: string): string => url.replaceAll(/:\w+/g, '1');

test('every form of a page takes a recent sign-in, or stands with a reason why not (security C320)', () => {
  const reasons = posts.flatMap(({ reason }) => reason ?? []);

  expect(posts.length).toBeGreaterThan(100);
  expect(guarded.length).toBeGreaterThan(reasons.length);
  for (const reason of reasons) expect(reason).toMatch(/^\w+(?: [^ ]+){2,}$/);
});

test.each(guarded)(
  'with an old session, a post to %s changes nothing and asks who it is (security C320)',
  async (url) => {
    const old = [];
    for (const seconds of ages) old.push(await open(seconds));
    const before = await digestTables(service.database);

    for (const { tab, form } of old) {
      const answer = await tab.open(pathOf(url), form);

      expect([answer.statusCode, titleOf(answer)]).toEqual([200, 'Confirm it’s you']);
      expect(tab.visited).toEqual([`POST ${pathOf(url)}`, 'POST /signin/confirm']);
    }
    expect(await digestTables(service.database)).toEqual(before);
  },
);

test.each(guarded)('a form to %s goes on with all that was typed (security C321)', async (url) => {
  const { user, tab, form } = await open(5 * 3600);
  const asked = await tab.open(pathOf(url), { ...form, some_password: 'x', client_secret: 'x' });
  bodies.length = 0;

  await tab.press(asked, '/signin/confirm', { password: user.password });

  expect(tab.visited.slice(2, 4)).toEqual(['POST /signin/confirm', `POST ${pathOf(url)}`]);
  const { form_token: _token, ...sent } = Object(bodies[1]);
  expect(sent).toEqual(typed);
});

test.each(posts.map(({ url }) => url).filter((url) => /^\/settings\/(?!language)|^\/bookings\//.test(url)))(
  'a form to %s whose session has ended goes on with all that was typed (security C321)',
  async (url) => {
    const { user, tab, form } = await open();
    await db.delete(sessions).where(eq(sessions.userId, user.id));
    const asked = await tab.open(pathOf(url), form);
    bodies.length = 0;

    await tab.press(asked, '/signin', { email: user.email, password: user.password });

    expect(tab.visited.slice(2, 4)).toEqual(['POST /signin', `POST ${pathOf(url)}`]);
    const { form_token: _token, ...sent } = Object(bodies[1]);
    expect(sent).toEqual(typed);
  },
);

/** Anybody may send these, or their form is bound to its request (security C28) or its link. */
const isAnybodys = (url: string): boolean =>
  /^\/(?:signin|signup|forgot|reset\/:token|auth\/oauth2\/(?:logout|authorize(?:\/review)?)|team\/.*)$|^\/(?:booking\/:uid|:username)/.test(
    url,
  );

test.each(posts.map(({ url }) => url).filter((url) => !isAnybodys(url)))(
  'a form to %s of another site, or without the token of its session, does nothing (security C480)',
  async (url) => {
    const { cookie, form } = await open();
    const [own = '', mark = ''] = form.form_token.split('.');
    const [others = '', otherMark = ''] = (await open()).form.form_token.split('.');
    const before = await digestTables(service.database);
    const send = async (formToken: string, site = 'same-origin') => {
      const fields = new URLSearchParams({ form_token: formToken, notes: 'typed' });
      const headers = { cookie, 'sec-fetch-site': site, 'content-type': 'application/x-www-form-urlencoded' };
      return service.app.inject({ method: 'POST', url: pathOf(url), headers, payload: fields.toString() });
    };

    const answers = [
      ...(await Promise.all(
        ['', 'AAAA', own, `${others}.${otherMark}`, `${others}.${mark}`, `${own}.${otherMark}`].map((token) =>
          send(token),
        ),
      )),
      await send(form.form_token, 'cross-site'),
      await send(form.form_token, 'same-site'),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 403));
    expect(await digestTables(service.database)).toEqual(before);
  },
);

const ofAdmins = routes
  .filter(({ url }) => url.startsWith('/settings/admin'))
  .flatMap((route) => methodsOf(route).map((method) => ({ url: route.url, method })));

test.each(ofAdmins)('$method $url is for admins alone', async ({ url, method }) => {
  const cookie = await signIn(service, await addUser(service));
  const sent = { form_token: await formTokenOf(service, cookie) };

  const answer =
    method === 'POST'
      ? await postForm(service, pathOf(url), sent, cookie)
      : await service.app.inject({ url: pathOf(url), headers: { cookie } });

  expect(answer.statusCode).toBe(403);
});
