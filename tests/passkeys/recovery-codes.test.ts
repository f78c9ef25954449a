import { expect, test } from 'vitest';
import { cookieOf } from '../support/accounts.ts';
import {
  addOnPage,
  codesOn,
  createAuthenticator,
  enterCode,
  openSecondFactor,
  securityHome,
} from '../support/authenticator.ts';
import { faultOf, textOf } from '../support/page-content.ts';
import { mailTo, postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, signIn } from '../support/world.ts';

const service = await openTestService();

async function addHolder() {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  const codes = codesOn(await addOnPage(service, cookie, createAuthenticator(service)));
  const [first = '', second = ''] = codes;
  return { user, cookie, first, second };
}
type Holder = Awaited<ReturnType<typeof addHolder>>;

async function enter({ user }: Holder, code: string, device?: string) {
  const asking = await openSecondFactor(service, user, device === undefined ? {} : { device });
  return enterCode(service, asking, code);
}

const usedSubject = 'A recovery code was used';
const usesOf = async ({ user }: Holder) =>
  (await mailTo(service, user.email)).filter(({ subject }) => subject === usedSubject).length;

test('a recovery code stands in for a passkey after the password, once, and the person is emailed (contract §1, security C76)', async () => {
  const holder = await addHolder();

  const signedIn = await enter(holder, holder.first);
  const again = await enter(holder, holder.first);
  const page = await service.app.inject({ url: securityHome, headers: { cookie: cookieOf(signedIn) } });

  expect(signedIn.statusCode).toBe(303);
  expect(again.statusCode).toBe(401);
  expect(faultOf(again, 'code')).toBe('This recovery code is wrong, or was used before.');
  expect(cookieOf(again)).toBe('');
  expect(textOf(page.body)).toContain('Unused codes: 9');
  expect(await usesOf(holder)).toBe(1);
});

test('of many sign-ins with one code at the same time one succeeds (security C76)', async () => {
  const holder = await addHolder();

  const answers = await Promise.all(Array.from({ length: 8 }, () => enter(holder, holder.first)));

  expect(answers.filter((one) => cookieOf(one) !== '')).toHaveLength(1);
  expect(await usesOf(holder)).toBe(1);
});

test('a code is read however it is typed', async () => {
  const holder = await addHolder();
  const typed = ` ${holder.first.toUpperCase().replaceAll('-', ' ').replaceAll('1', 'L').replaceAll('0', 'o')} `;

  expect((await enter(holder, typed)).statusCode).toBe(303);
});

test("another person's code, a former one and one without the password don't count (security C76)", async () => {
  const [holder, other] = [await addHolder(), await addHolder()];
  const foreign = await enter(holder, other.first);
  const replaced = await postOwnForm(service, `${securityHome}/recovery-codes`, {}, holder.cookie);
  const former = await enter(holder, holder.second);
  const asking = await openSecondFactor(service, holder.user);
  const [fresh = ''] = codesOn(replaced);
  const without = await enterCode(service, { ...asking, cookie: '' }, fresh);

  for (const refused of [foreign, former, without]) expect(cookieOf(refused)).toBe('');
  expect(codesOn(replaced)).toHaveLength(10);
  expect((await mailTo(service, holder.user.email)).map(({ subject }) => subject)).toContain(
    'You have new recovery codes',
  );
  expect((await enter(holder, fresh)).statusCode).toBe(303);
});

test.each([
  ['', 'Enter a recovery code.'],
  ['x'.repeat(101), 'Use at most 100 characters.'],
])('a code %j is no code', async (code, words) => {
  const refused = await enter(await addHolder(), code);

  expect(refused.statusCode).toBe(400);
  expect(faultOf(refused, 'code')).toBe(words);
});

test('neither pages nor the log show a code again (security C25, C76)', async () => {
  const holder = await addHolder();

  const wrong = await enter(holder, 'canary-of-a-code');
  await enter(holder, holder.first);

  expect(wrong.body).not.toContain('canary-of-a-code');
  for (const text of ['canary-of-a-code', holder.first]) expect(service.logText()).not.toContain(text);
});
