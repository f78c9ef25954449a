import { beforeEach, describe, expect, test } from 'vitest';
import { weakPassword } from '../../src/accounts/passwords/password.ts';
import { makeResetToken } from '../../src/accounts/passwords/reset.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { addSentAt, openEmail } from '../../src/platform/mail/email.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { cookieOf, isSignedIn } from '../support/accounts.ts';
import { digestTables } from '../support/database-content.ts';
import { fromAddress, useUp } from '../support/guesser.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import {
  askForReset,
  changedSubject,
  obtainResetPath,
  resetPathsTo,
  resetSubject,
} from '../support/password-reset.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, addUser, callMe, connect, postForm, refresh, signIn } from '../support/world.ts';

const service = await openTestService();
/** Only there, the page has a form. */
const chosen = 'another password of mine';
const minutes = 60;
const deadTitle = 'This link doesn’t work';

/** Beyond every window in which something is counted. */
beforeEach(() => service.clock.advance(60 * minutes));

async function reset(path: string, fields: Readonly<Record<string, string>> = {}, cookie?: string) {
  return postForm(service, path, { password: chosen, ...fields }, cookie);
}

async function canSignIn(email: string, password: string): Promise<boolean> {
  return (await postForm(service, '/signin', { email, password })).statusCode === 303;
}

describe('asking for an email', () => {
  test('answers the same for an account, none, and a person who has asked too often', async () => {
    const { email } = await addUser(service);

    const answers = [
      await askForReset(service, email),
      await askForReset(service, 'nobody@example.com'),
      ...(await Promise.all(Array.from({ length: 5 }, () => askForReset(service, email)))),
    ];

    for (const { statusCode, headers, body } of answers) {
      expect(statusCode).toBe(303);
      expect(headers.location).toBe('/forgot/sent');
      expect(headers).not.toHaveProperty('set-cookie');
      expect(body).toBe('');
    }
  });

  test('does the same work for an account and for none, but for the email (OWASP Forgot Password)', async () => {
    const { email } = await addUser(service);
    const workFor = async (address: string) => {
      service.takeStatements();
      await askForReset(service, address);
      // The outbox looks after itself in the background.
      return service.takeStatements().filter((statement) => !/"outbox"/.test(statement));
    };

    const known = await workFor(email);
    const unknown = await workFor('somebody-else@example.com');

    expect(known.filter((statement) => statement.includes('rate_limits'))).toHaveLength(2);
    expect(unknown).toEqual(known);
  });

  test('sends one email with a link, to the address of the account, however it is written', async () => {
    const { email } = await addUser(service);

    await askForReset(service, `  ${email.toUpperCase()} `);

    const emails = await mailTo(service, email);
    expect(emails.map(({ subject }) => subject)).toEqual([resetSubject]);
    expect(await resetPathsTo(service, email)).toEqual([
      expect.stringMatching(/^\/reset\/[\w-]{54}\.\d{10}\.[\w-]{43}$/),
    ]);
  });

  test('sends nothing to an address without an account', async () => {
    await askForReset(service, 'stranger@example.com');

    expect(await mailTo(service, 'stranger@example.com')).toEqual([]);
  });

  test('sends only so many emails in half an hour to one account, and tells nobody', async () => {
    const { letters } = databaseLimits;
    const { email } = await addUser(service);

    await Promise.all(Array.from({ length: letters.max + 5 }, () => askForReset(service, email)));
    const atOnce = await mailTo(service, email);
    service.clock.advance(30 * minutes - 1);
    await askForReset(service, email);
    const within = await mailTo(service, email);
    service.clock.advance(1);
    await askForReset(service, email);

    expect(atOnce).toHaveLength(letters.max);
    expect(within).toHaveLength(letters.max);
    expect(await mailTo(service, email)).toHaveLength(letters.max + 1);
  });

  test('leaves a living link in the mailbox at any time, however many emails others ask for', async () => {
    const { email } = await addUser(service);
    const living: boolean[] = [];

    for (let asked = 0; asked < 12; asked += 1) {
      await askForReset(service, email);
      const [sent] = (await mailTo(service, email)).toReversed();
      living.push(service.clock.now().getTime() - Number(sent?.createdAt) < 30 * minutes * 1000);
      service.clock.advance(10 * minutes);
    }

    expect(living).toEqual(Array(12).fill(true));
  });

  test('is limited by client address, whatever addresses are typed', async () => {
    const { email } = await addUser(service);
    await askForReset(service, 'nobody@example.com');
    await useUp(service, fromAddress('strangers', '127.0.0.1'));

    const refused = await askForReset(service, email);
    service.clock.advance(55 * minutes);
    const refusedLater = await askForReset(service, email);
    service.clock.advance(5 * minutes);
    const later = await askForReset(service, email);

    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('3600');
    expect(refusedLater.headers['retry-after']).toBe('300');
    expect(textOf(refusedLater.body)).toContain('Try again in 5 minutes.');
    expect(later.statusCode).toBe(303);
    expect(await mailTo(service, email)).toHaveLength(1);
  });

  test('shows the link nowhere: not in the table, not in the log, not in the answer', async () => {
    const { email } = await addUser(service);

    const path = await obtainResetPath(service, email);

    const token = path.replace('/reset/', '');
    const rows = await mailTo(service, email);
    expect(rows.map(({ text, html }) => text + html).join('')).not.toContain(token);
    expect(rows[0]?.text).toContain('(a link that only the recipient sees,');
    expect(service.logText()).not.toContain(token);
  });
});

describe('the link', () => {
  test('shows the form, the account’s email address and nothing else of it, and changes nothing', async () => {
    const { email, username } = await addUser(service);
    const path = await obtainResetPath(service, email);
    const before = await digestTables(service.database);

    const page = await service.app.inject(path);
    const again = await service.app.inject(path);

    expect(page.statusCode).toBe(200);
    expect(again.body).toBe(page.body);
    expect(textOf(page.body)).toContain(email);
    expect(page.body.replaceAll(email, '')).not.toContain(username);
    expect(page.headers['referrer-policy']).toBe('strict-origin');
    expect(await digestTables(service.database)).toEqual(before);
  });

  test('works for thirty minutes', async () => {
    const { email } = await addUser(service);
    const path = await obtainResetPath(service, email);
    service.clock.advance(30 * minutes - 2);
    const inTime = await service.app.inject(path);
    service.clock.advance(2);
    const late = await service.app.inject(path);
    const lateUse = await reset(path);

    expect(inTime.statusCode).toBe(200);
    expect(late.statusCode).toBe(404);
    expect(titleOf(late)).toBe(deadTitle);
    expect(lateUse.statusCode).toBe(404);
    expect(await canSignIn(email, chosen)).toBe(false);
  });

  test('works for thirty minutes from when its email is sent, not from the request (security C52)', async () => {
    const { email } = await addUser(service);
    await askForReset(service, email);
    const [sent] = await mailTo(service, email);
    if (sent === undefined) throw new Error('no email');
    const pathSentAfter = (hours: number): string => {
      const sentAt = new Date(sent.createdAt.getTime() + hours * 3_600_000);
      return new URL(/http\S+/.exec(openEmail(sent, service.rootSecret, sentAt).text)?.[0] ?? '').pathname;
    };
    service.clock.advance(4 * 60 * minutes + 60);

    expect((await service.app.inject(pathSentAfter(4))).statusCode).toBe(200);
    expect((await service.app.inject(pathSentAfter(3))).statusCode).toBe(404);
    service.clock.advance(20 * 60 * minutes);
    expect((await service.app.inject(pathSentAfter(24))).statusCode).toBe(404);
  });

  test('leads to no common password, and works for a better one afterwards (security C61)', async () => {
    const { email, username } = await addUser(service);
    const path = await obtainResetPath(service, email);

    for (const password of ['1234567890', email, username]) {
      const answer = await reset(path, { password, keep_apps: 'on' });
      expect(answer.statusCode).toBe(400);
      expect(faultOf(answer, 'password')).toBe(weakPassword);
      expect(answer.body).toContain('name="keep_apps" checked');
    }

    expect((await reset(path)).statusCode).toBe(303);
  });

  test('works once, and the other letters’ links end with it', async () => {
    const { email } = await addUser(service);
    await askForReset(service, email);
    service.clock.advance(60);
    const second = await obtainResetPath(service, email);
    const [first = ''] = await resetPathsTo(service, email);
    await reset(second);

    const again = await reset(second, { password: 'the third password' });
    const other = await reset(first, { password: 'the third password' });

    expect(first).not.toBe(second);
    for (const answer of [again, other, await service.app.inject(first)]) {
      expect(answer.statusCode).toBe(404);
      expect(titleOf(answer)).toBe(deadTitle);
      expect(answer.body).toContain('href="/forgot"');
      expect(answer.cookies).toEqual([]);
    }
    expect(await canSignIn(email, chosen)).toBe(true);
  });

  const ours = service.rootSecret;
  const others = createSecrets(['x'.repeat(32)]);
  const right = (userId: number, secrets = ours): string =>
    makeResetToken(userId, { email: '', passwordHash: '' }, service.clock.now(), secrets);
  /** The token is as in an email that is sent now. */
  const sent = (token: string, secrets = ours): string =>
    new URL(addSentAt(`${service.appUrl}/reset/${token}`, secrets, service.clock.now())).pathname;

  test.each([
    ['garbage', () => '/reset/x'],
    ['garbage that was sent', () => sent('x')],
    ['as long, made of nothing', () => sent('A'.repeat(54))],
    ['for no account', () => sent(right(2_000_000_000))],
    ['for number 0', () => sent(right(0))],
    ['for a negative number', () => sent(right(4_294_967_295))],
    ['made without the password', () => sent(right(1))],
    ['made with another secret', () => sent(right(1, others))],
    ['never sent', () => `/reset/${right(1)}`],
    ['sent with another secret', () => sent(right(1), others)],
    [
      'sent earlier than it says',
      () => sent(right(1)).replace(/(\.1\d+)\./, (_, at) => `.${Number(at.slice(1)) + 1}.`),
    ],
    ['spelt with padding', () => `${sent(right(1))}%3D`],
    ['too short', () => sent(right(1)).slice(0, -1)],
    ['too long', () => `${sent(right(1))}A`],
    ['very long', () => `/reset/${'A'.repeat(8000)}`],
    ['with characters of no alphabet', () => `/reset/${encodeURIComponent('<script>"\'🗝️ ')}`],
  ])('that is wrong (%s) leads to one page, for reading and for setting', async (_name, pathOf) => {
    const path = pathOf();
    const before = await digestTables(service.database);

    for (const answer of [await service.app.inject(path), await reset(path)]) {
      expect(answer.statusCode).toBe(404);
      expect(titleOf(answer)).toBe(deadTitle);
      expect(answer.headers['referrer-policy']).toBe('strict-origin');
    }
    expect(await digestTables(service.database)).toEqual(before);
  });

  test.each(['/reset/%00', '/reset/AAAA%00', '/reset/%zz'])(
    '%s is no address at all (security C35)',
    async (path) => {
      expect((await service.app.inject(path)).statusCode).toBe(400);
    },
  );

  test("with any one character exchanged is nobody's", async () => {
    const { email } = await addUser(service);
    const path = await obtainResetPath(service, email);

    for (let at = '/reset/'.length; at < path.length; at++) {
      const other = path[at] === 'A' ? 'B' : 'A';
      const answer = await service.app.inject(`${path.slice(0, at)}${other}${path.slice(at + 1)}`);
      expect(answer.statusCode, String(at)).toBe(404);
    }
  });

  test('of one account sets no other one’s password', async () => {
    const [one, two] = [await addUser(service), await addUser(service)];
    const path = await obtainResetPath(service, one.email);
    const [token = ''] = path.replace('/reset/', '').split('.');
    const bytes = Buffer.from(token, 'base64url');
    bytes.writeUInt32BE(two.id, 0);

    const answer = await reset(sent(bytes.toString('base64url')));

    expect(answer.statusCode).toBe(404);
    expect(await canSignIn(two.email, chosen)).toBe(false);
    expect(await canSignIn(one.email, one.password)).toBe(true);
  });
});

describe('setting the new password', () => {
  test('signs this browser in, and everyone else out', async () => {
    const user = await addUser(service);
    const elsewhere = await signIn(service, user);
    const stranger = await signIn(service, await addUser(service));
    const path = await obtainResetPath(service, user.email);

    const answer = await reset(path);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe('/settings/password?saved');
    expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
    expect(await isSignedIn(service, elsewhere)).toBe(false);
    expect(await isSignedIn(service, stranger)).toBe(true);
    expect(await canSignIn(user.email, user.password)).toBe(false);
    expect(await canSignIn(user.email, chosen)).toBe(true);
  });

  test('ends the session that this browser had', async () => {
    const other = await signIn(service, await addUser(service));
    const { email } = await addUser(service);

    await reset(await obtainResetPath(service, email), {}, other);

    expect(await isSignedIn(service, other)).toBe(false);
  });

  test('tells the account by email', async () => {
    const { email } = await addUser(service);

    await reset(await obtainResetPath(service, email));

    const emails = (await mailTo(service, email)).filter(({ subject }) => subject === changedSubject);
    expect(emails).toHaveLength(1);
    expect(emails[0]?.text).toContain(`${service.appUrl}/forgot`);
  });

  test('leaves apps connected if that is asked for', async () => {
    const user = await addUser(service);
    const client = await addClient(service);
    const tokens = await connect(service, client, await signIn(service, user));

    await reset(await obtainResetPath(service, user.email), { keep_apps: 'on' });

    expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
    expect((await refresh(service, client, tokens.refresh_token)).statusCode).toBe(200);
  });

  test('ends the access of all apps of this account, and of no other (security C57)', async () => {
    const [user, other] = [await addUser(service), await addUser(service)];
    const client = await addClient(service);
    const tokens = await connect(service, client, await signIn(service, user));
    const others = await connect(service, client, await signIn(service, other));

    await reset(await obtainResetPath(service, user.email));

    expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
    expect((await refresh(service, client, tokens.refresh_token)).statusCode).toBe(400);
    expect((await callMe(service, others.access_token)).statusCode).toBe(200);
  });

  test('with a faulty password keeps the tick', async () => {
    const path = await obtainResetPath(service, (await addUser(service)).email);

    const answer = await postForm(service, path, { keep_apps: 'on', password: '' });

    expect(faultOf(answer, 'password')).not.toBe(undefined);
    expect(answer.body).toContain('name="keep_apps" checked');
  });

  test('several times at the same time, on several instances: one of them counts (architecture §2)', async () => {
    const other = await openAnotherInstance(service);
    const { email } = await addUser(service);
    const path = await obtainResetPath(service, email);
    const passwords = Array.from({ length: 8 }, (_, index) => `the password number ${index}`);

    const answers = await Promise.all(
      passwords.map((password, index) => postForm(index % 2 === 0 ? service : other, path, { password })),
    );

    const winners = passwords.filter((_, index) => answers[index]?.statusCode === 303);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(7);
    expect(await canSignIn(email, winners[0] ?? '')).toBe(true);
    const emails = (await mailTo(service, email)).filter(({ subject }) => subject === changedSubject);
    expect(emails).toHaveLength(1);
  });

  test('leaves token and password in no log line (security C25)', async () => {
    const { email } = await addUser(service);
    const path = await obtainResetPath(service, email);

    await service.app.inject(path);
    await reset(path);
    await reset(path);

    expect(service.logText()).toContain('a password was reset');
    expect(service.logText()).toContain('"route":"/reset/:token"');
    expect(service.logText()).not.toContain(path.replace('/reset/', ''));
    expect(service.logText()).not.toContain(chosen);
  });
});
