import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { usualCost } from '../../src/accounts/passwords/password.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { cookieOf, findAccountRow, isSignedIn, signUpFields } from '../support/accounts.ts';
import { bodyOf } from '../support/api.ts';
import { faultOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance } from '../support/service.ts';
import { mailSettings, openVerifyingService, subjectsTo, verifySubject } from '../support/verification.ts';
import { addUser, postForm } from '../support/world.ts';

const service = await openVerifyingService();
const day = 86_400;

/** Beyond every window in which something is counted. */
beforeEach(() => service.clock.advance(3600));

type Fields = ReturnType<typeof signUpFields>;

const takenBy = {
  'a verified account': async () => (await addUser(service)).email,
  'an account that was never verified': async () => (await addUser(service, { isVerified: false })).email,
} as const;

/** What a browser sees, without the values that are random in every answer. */
function seenOf({ statusCode, headers, body, cookies }: LightMyRequestResponse) {
  const { date: _date, 'x-request-id': _id, 'set-cookie': _cookie, ...others } = headers;
  return {
    statusCode,
    headers: others,
    body,
    // What was typed is kept in the browser that typed it.
    cookies: cookies.map(({ value, ...one }) => [one, one.name === 'latchkey_sent' || value.length]),
  };
}

async function signUp(changes: Partial<Fields> = {}) {
  const fields = { ...signUpFields(), ...changes };
  return { fields, answer: await postForm(service, '/signup', fields) };
}

describe.each(Object.entries(takenBy))('an address of %s (security C71)', (_name, takenEmail) => {
  test('is answered as a free one: status, headers, cookies, body, and the page after it', async () => {
    const free = await signUp();
    const taken = await signUp({ email: await takenEmail() });

    expect(seenOf(taken.answer)).toEqual(seenOf(free.answer));
    expect(free.answer.statusCode).toBe(303);
    expect(free.answer.headers.location).toBe('/verify/sent');
    expect(cookieOf(free.answer)).toBe('');
    const pages = [];
    for (const { answer } of [free, taken]) {
      const [cookie] = answer.cookies;
      const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
      pages.push(seenOf(await service.app.inject({ url: String(answer.headers.location), headers })));
    }
    expect(pages[1]).toEqual(pages[0]);
    expect(JSON.stringify(pages)).not.toContain(taken.fields.email);
    for (const { answer, fields } of [free, taken]) {
      const headers = { cookie: answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
      const { body } = await service.app.inject({ url: '/verify/sent', headers });
      expect(body).toContain(`<bdi>${fields.email}</bdi>`);
      expect(body).toContain('<a href="/signup">');
    }
  });

  test('takes the username as a free one does, and for as long', async () => {
    const one = await signUp();
    const other = await signUp({ email: await takenEmail() });
    const again = async () => {
      const others = await Promise.all([one, other].map(({ fields: { name } }) => signUp({ name })));
      const rows = await Promise.all(others.map(({ fields }) => findAccountRow(service, fields.email)));
      return rows.map((row) => row?.username?.replace(/^new-[0-9a-f]+/, ''));
    };

    const soon = await again();
    service.clock.advance(29 * day);

    expect([soon, await again()]).toEqual([
      ['-2', '-2'],
      ['-3', '-3'],
    ]);
  });

  test.each([0, 59])('with the same form sent again after %i s is answered alike', async (seconds) => {
    const twice = async (email?: string) => {
      const first = await signUp(email === undefined ? {} : { email });
      service.clock.advance(seconds);
      const second = await postForm(service, '/signup', first.fields);
      return { seen: [seenOf(first.answer), seenOf(second)], ...first };
    };

    const free = await twice();
    const taken = await twice(await takenEmail());

    expect(taken.seen).toEqual(free.seen);
    expect(free.seen[1]).toEqual(free.seen[0]);
    expect(await mailTo(service, free.fields.email)).toHaveLength(1);
    expect((await mailTo(service, taken.fields.email)).length).toBeLessThan(2);
  });

  test('after a minute is answered alike, too', async () => {
    const seen = [];
    for (const email of [signUpFields().email, await takenEmail()]) {
      const { fields } = await signUp({ email });
      service.clock.advance(61);
      seen.push(seenOf(await postForm(service, '/signup', fields)));
    }

    expect(seen[1]).toEqual(seen[0]);
  });

  test('with a name whose username is taken is answered alike', async () => {
    const { username: name } = await addUser(service);
    const email = await takenEmail();

    const free = await signUp({ name });
    const taken = await signUp({ name, email });

    expect(seenOf(taken.answer)).toEqual(seenOf(free.answer));
    expect((await findAccountRow(service, free.fields.email))?.username).toBe(`${name}-2`);
  });

  test('takes the same work: one slow hash, and about as many statements', async () => {
    const email = await takenEmail();
    const usual = await openAnotherInstance(service, mailSettings, { passwordCost: usualCost });
    const workFor = async (fields: Fields) => {
      usual.takeStatements();
      const begin = process.cpuUsage();
      await postForm(usual, '/signup', fields);
      const { user, system } = process.cpuUsage(begin);
      const statements = usual.takeStatements();
      return { ms: (user + system) / 1000, statements: statements.length };
    };
    // The least of several: the process has other work, too, such as garbage to collect and queues.
    const free = { ms: Infinity, statements: Infinity };
    const taken = { ms: Infinity, statements: Infinity };
    for (let round = 0; round < 5; round += 1)
      for (const [least, fields] of [
        [free, signUpFields()],
        [taken, { ...signUpFields(), email }],
      ] as const) {
        const { ms, statements } = await workFor(fields);
        least.ms = Math.min(ms, least.ms);
        least.statements = Math.min(statements, least.statements);
      }

    expect(taken.ms).toBeGreaterThan(free.ms / 3);
    expect(free.ms).toBeGreaterThan(taken.ms / 3);
    expect(Math.abs(taken.statements - free.statements)).toBeLessThanOrEqual(2);
  });

  test('changes nothing of the account, whatever name and password are typed', async () => {
    const email = await takenEmail();
    const before = await findAccountRow(service, email);

    const { fields } = await signUp({ email, password: 'the words of someone else' });

    expect(await findAccountRow(service, email)).toEqual(before);
    expect((await postForm(service, '/signin', fields)).statusCode).toBe(401);
  });
});

describe('the emails', () => {
  test('a free address gets a link, and its account no session', async () => {
    const { fields, answer } = await signUp();

    expect(await subjectsTo(service, fields.email)).toEqual([verifySubject]);
    expect(await findAccountRow(service, fields.email)).toMatchObject({ emailVerifiedAt: null });
    expect(await isSignedIn(service, cookieOf(answer))).toBe(false);
  });

  test('an owner hears that someone tried, and how to get in', async () => {
    const { email } = await addUser(service);

    await signUp({ email });

    const [message, ...others] = await mailTo(service, email);
    expect(others).toEqual([]);
    expect(message?.subject).toBe('You already have an account');
    expect(message?.text).toContain(`${service.appUrl}/signin`);
    expect(message?.text).toContain(`${service.appUrl}/forgot`);
  });

  test('the owner of an address that a stranger signed up with is offered the account', async () => {
    const { fields: stranger } = await signUp();
    service.clock.advance(1);

    await signUp({ email: stranger.email });
    const [, message] = await mailTo(service, stranger.email);
    const reset = await postForm(service, await obtainResetPath(service, stranger.email), {
      password: 'words of the owner',
    });

    expect(message?.subject).toBe('Your email address already has an account');
    expect(message?.text).toContain(`${service.appUrl}/forgot`);
    expect(await isSignedIn(service, cookieOf(reset))).toBe(true);
    expect((await findAccountRow(service, stranger.email))?.emailVerifiedAt).toEqual(service.clock.now());
  });

  test.each([true, false])(
    'an address as managed users have is refused, whether one has it (%s): nobody gets an email (security C71, C147)',
    { tags: 'parts' },
    async (isTaken) => {
      const client = await addPlatformClient(service);
      const { email } = bodyOf(await makeManagedUser(service, client), 201).data.user;
      const wanted = isTaken ? email : `free${email}`;

      const { answer } = await signUp({ email: wanted });

      expect(answer.statusCode).toBe(400);
      expect(faultOf(answer, 'email')).toBe(
        'Use an address without “+” and 25 letters or digits before the @.',
      );
      expect(await mailTo(service, wanted)).toEqual([]);
      expect((await findAccountRow(service, wanted)) === undefined).toBe(!isTaken);
    },
  );

  test('one mailbox gets only so many, in whichever spelling, and nobody is told (security C50)', async () => {
    const { email } = signUpFields();
    const spelt = (tag: number) => email.replace('@', `+${tag}@`);

    const { max } = databaseLimits.letters;
    const tags = Array.from({ length: max + 2 }, (_, tag) => tag);

    const answers = await Promise.all(tags.map((tag) => signUp({ email: spelt(tag) })));

    const sent = await Promise.all(tags.map((tag) => mailTo(service, spelt(tag))));
    expect(sent.flat()).toHaveLength(max);
    expect(new Set(answers.map(({ answer }) => JSON.stringify(seenOf(answer)))).size).toBe(1);
    service.clock.advance(3600);
    await signUp({ email: spelt(max + 2) });
    expect(await mailTo(service, spelt(max + 2))).toHaveLength(1);
  });

  test('whoever signs in with an unverified address causes no emails to it', async () => {
    const { fields } = await signUp();

    await postForm(service, '/signin', fields);

    expect(await subjectsTo(service, fields.email)).toEqual([verifySubject]);
  });
});

test('of sign-ups with one address at the same time one makes the account, and all are answered alike', async () => {
  const { email } = signUpFields();

  const answers = await Promise.all(Array.from({ length: 5 }, () => signUp({ email })));

  expect(new Set(answers.map(({ answer }) => JSON.stringify(seenOf(answer)))).size).toBe(1);
  expect((await subjectsTo(service, email)).filter((subject) => subject === verifySubject)).toHaveLength(1);
});

test('sign-ups with one name and taken addresses at the same time are answered alike', async () => {
  const { name } = signUpFields();
  const emails = [(await addUser(service)).email, (await addUser(service)).email];

  const answers = await Promise.all(emails.map((email) => signUp({ email, name })));

  expect(answers.map(({ answer }) => answer.statusCode)).toEqual([303, 303]);
});
