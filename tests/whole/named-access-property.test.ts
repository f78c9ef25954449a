import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { mayUse } from '../../src/oauth/own-scopes.ts';
import { codeOf, decide, decisionFormOf, requestOf } from '../support/authorization.ts';
import { exchangeCode } from '../support/consent.ts';
import { textOf } from '../support/page-content.ts';
import { mailTo, reviewDecisions } from '../support/registration.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { grantsOf, introspectionPath, postBody } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  clientFields,
  openAuthorizePage,
  refresh,
  startSession,
  type Tokens,
  testPassword,
} from '../support/world.ts';
import { acceptAsShown, saveAsShown } from './shown-forms.ts';

const RESOURCES = 'https://notes.example Meeting notes';
const SCOPES = 'notes:read=Read your notes,notes:write=Change your notes';
const all = await openTestService({ RESOURCES, SCOPES });
const services: readonly TestService[] = [
  all,
  await openAnotherInstance(all),
  await openAnotherInstance(all, { RESOURCES, SCOPES, PARTS: 'all,-webhooks,-openid' }),
  await openAnotherInstance(all, {
    RESOURCES,
    SCOPES: 'notes:read=Read your notes',
    PARTS: 'all,-scheduling,-mcp',
  }),
  await openAnotherInstance(all, { PARTS: 'door' }),
];
const admin = await startSession(all, await addUser(all, { isAdmin: true }));
const every = all.app.permissions.known;

/** Reads off a text which scopes its sentences stand for, in the words of that service. */
function namedIn(service: TestService, text: string): readonly string[] {
  const { areas, words, known, identity } = service.app.permissions;
  const isSaid = (sentence = ''): boolean => sentence !== '' && text.includes(sentence);
  const together = areas.flatMap(({ write }) =>
    isSaid(write.together?.words) ? [write.name, 'BOOKING_READ'] : [],
  );
  const signIns = [['openid', 'profile', 'email'], ['openid', 'profile'], ['openid', 'email'], ['openid']];
  const signIn = signIns.find((held) => isSaid(identity?.describe(held))) ?? [];
  return [...together, ...signIn, ...known.filter((name) => isSaid(words[name]))];
}

/** The list of what an app will be able to do, and no other one. */
const listIn = (body: string): string => textOf(/<ul class="permissions">(.*?)<\/ul>/s.exec(body)?.[1] ?? '');

const scopes = fc.uniqueArray(fc.constantFrom(...every), { minLength: 1, maxLength: 5 });
const where = fc.constantFrom(...services.keys());
const step = fc.oneof(
  fc.record({
    what: fc.constant('approve' as const),
    where,
    scope: fc.option(scopes, { nil: [] }),
    isRemembered: fc.boolean(),
  }),
  fc.record({ what: fc.constant('refresh' as const), where, which: fc.nat(5) }),
  fc.record({ what: fc.constant('accept' as const), where }),
  fc.record({ what: fc.constant('edit' as const), where, ticked: fc.option(scopes, { nil: null }) }),
  fc.record({ what: fc.constant('resubmit' as const), where }),
);

test('whatever is registered, asked, approved, edited, accepted, refreshed and taken away in between, a token gives what a page named (security C300, C301)', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(scopes, { nil: null }),
      where,
      fc.array(step, { minLength: 4, maxLength: 10 }),
      run,
    ),
    { numRuns: 25 },
  );
});

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function run(registered: readonly string[] | null, first: number, steps: readonly Step[]) {
  const user = await addUser(all);
  const client = await addClient(all, { scopes: registered, status: 'pending' });
  const { db } = all.database;
  const [owner] = await db.select({ email: users.email }).from(users).where(eq(users.id, client.ownerId));
  const ownerCookie = await startSession(all, { email: owner?.email ?? '', password: testPassword });
  const cookie = await startSession(all, user);
  /** What pages named: to the reviewers, and to the person for each grant. */
  const accepted = new Set<string>();
  const grants: { named: readonly string[]; tokens: Tokens }[] = [];
  const [everNamed, told] = [new Set<string>(), new Set<string>()];

  const review = async (service: TestService): Promise<void> => {
    const { page } = await acceptAsShown(service, client.id, admin);
    for (const name of namedIn(service, page)) accepted.add(name);
  };
  const check = async (service: TestService, { named, tokens }: (typeof grants)[number]): Promise<void> => {
    const given = String(decodeJwt(tokens.access_token)['scope']).split(' ');
    const form = new URLSearchParams({ ...clientFields(client), token: tokens.access_token });
    const seen = (await postBody(service, form.toString(), {}, introspectionPath)).json();
    for (const name of [...given, ...(seen.scope?.split(' ') ?? [])]) {
      expect(mayUse(named, name), `the person read of ${name}`).toBe(true);
      expect(mayUse([...accepted], name), `a reviewer read of ${name}`).toBe(true);
      expect(mayUse([...told], name), `an email told of ${name}`).toBe(true);
    }
  };

  await review(services[first] ?? all);
  for (const one of steps) {
    const service = services[one.where] ?? all;
    if (one.what === 'resubmit') {
      await reviewDecisions.suspend(all, client.id, admin);
      await saveAsShown(service, client.id, ownerCookie);
      await review(service);
    } else if (one.what === 'accept') {
      await review(service);
    } else if (one.what === 'edit') {
      const known = service.app.permissions.known;
      const ticked = one.ticked?.filter((name) => known.includes(name));
      const access = one.ticked === null ? 'full' : 'chosen';
      await saveAsShown(service, client.id, ownerCookie, { access, purpose: String(Math.random()) }, ticked);
    } else if (one.what === 'refresh') {
      const grant = grants[one.which];
      if (grant === undefined) continue;
      const answer = await refresh(service, client, grant.tokens.refresh_token);
      if (answer.statusCode !== 200) continue;
      grant.tokens = answer.json();
      await check(service, grant);
    } else {
      const asked = requestOf(client, { scope: one.scope.join(' ') });
      const page = await openAuthorizePage(service, asked, cookie);
      let code = codeOf(page);
      // Remembered consent repeats what an earlier page named.
      let named: readonly string[] = [...everNamed];
      if (page.statusCode === 200) {
        named = namedIn(service, listIn(page.body));
        expect(named, 'something is named').not.toEqual([]);
        for (const name of named) everNamed.add(name);
        const remember: Record<string, string> = one.isRemembered ? { remember: 'yes' } : {};
        code = codeOf(await decide(service, { ...decisionFormOf(page.body), ...remember }, 'allow', cookie));
      }
      if (code === undefined) continue;
      const answer = await exchangeCode(service, client, code);
      if (answer.statusCode !== 200) continue;
      for (const { text } of await mailTo(all, user.email))
        for (const name of namedIn(service, text.replaceAll(/\s+/g, ' '))) told.add(name);
      grants.push({ named, tokens: answer.json() });
      const grant = grants.at(-1);
      if (grant !== undefined) await check(service, grant);
    }
  }
  for (const { scopes: held } of await grantsOf(all, client))
    for (const name of held ?? ['full access'])
      expect(mayUse([...everNamed], name), `a page named ${name}`).toBe(true);
}
