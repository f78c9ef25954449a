import { expect, test } from 'vitest';
import { digestTables } from '../support/database-content.ts';
import { openAs } from '../support/groups.ts';
import { postOwnForm } from '../support/registration.ts';
import { recordingRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';
import { addUser, startSession } from '../support/world.ts';

const [service, routes] = await recordingRoutes(() => openTestService());
/** Programs come to these, and no session counts there. */
const isForPrograms = (url: string): boolean => /^\/(?:v2|mcp)(?:\/|$)|\/register$/.test(url);

const posts = routes.flatMap(({ method, url, config }) => {
  const isChange = [method].flat().some((verb) => !['GET', 'HEAD', 'OPTIONS'].includes(verb));
  return isChange && !isForPrograms(url) ? [{ url, reason: config?.oldSignInBecause }] : [];
});
/** Five hours, and six days: an idle session ends after seven. */
const ages = [5 * 3600, 6 * 86_400];
const guarded = posts.filter(({ reason }) => reason === undefined);

test('every form of a page takes a recent sign-in, or stands with a reason why not (security C320)', () => {
  const reasons = posts.flatMap(({ reason }) => reason ?? []);

  expect(posts.length).toBeGreaterThan(100);
  expect(guarded.length).toBeGreaterThan(reasons.length);
  for (const reason of reasons) expect(reason).toMatch(/^\w+(?: [^ ]+){2,}$/);
});

test.each(guarded.map(({ url }) => url))(
  'with an old session, a post to %s changes nothing and asks who it is (security C320)',
  async (url) => {
    const person = await addUser(service, { isAdmin: true });
    for (const seconds of ages) {
      const cookie = await startSession(service, person);
      service.clock.advance(seconds);
      await openAs(service, '/settings/profile', cookie);
      const before = await digestTables(service.database);

      const answer = await postOwnForm(service, url.replaceAll(/:\w+/g, '1'), {}, cookie);

      expect([answer.statusCode, answer.headers.location]).toEqual([
        303,
        expect.stringMatching(/^\/signin\/confirm\?return_to=/),
      ]);
      expect(await digestTables(service.database)).toEqual(before);
    }
  },
);
