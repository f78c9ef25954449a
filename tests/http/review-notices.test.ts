import { describe, expect, test } from 'vitest';
import { digestTables } from '../support/database-content.ts';
import { refusingCommits, refusingInserts } from '../support/database-faults.ts';
import {
  developerHome,
  findClientRow,
  mailTo,
  openEdit,
  register,
  registeredId,
  registration,
  reviewDecisions,
  reviewHome,
} from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, postForm, startSession } from '../support/world.ts';

const service = await openTestService();
const { database } = service;
const admins = [
  await addUser(service, { isAdmin: true }),
  await addUser(service, { isAdmin: true }),
] as const;
const adminCookies = await Promise.all(admins.map((admin) => startSession(service, admin)));
const [adminCookie = ''] = adminCookies;
const owner = await addUser(service);
const cookie = await startSession(service, owner);

async function submit(name = 'Tidy Desk', as = cookie): Promise<string> {
  return registeredId(await register(service, as, { name }));
}

const settle = (decision: keyof typeof reviewDecisions, id: string, as = adminCookie) =>
  reviewDecisions[decision](service, id, as);

test('every admin gets a mail of a submission, and nobody else (contract §2)', async () => {
  const name = 'Announced Desk';

  await submit(name);

  for (const { email } of admins) {
    const mails = (await mailTo(service, email)).filter(({ subject }) => subject.includes(name));
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ subject: 'Review requested: Announced Desk' });
    expect(mails[0]?.text).toContain(`${service.appUrl}${reviewHome}`);
  }
  const toOwner = await mailTo(service, owner.email);
  expect(toOwner.filter(({ subject }) => subject.includes(name))).toEqual([]);
});

describe('what a reviewer reads in the email (contract §2)', () => {
  const long = `https://desk.example/${'x'.repeat(800)}/end`;

  test('of a new app is whose it is, where it leads and what it asks for, long addresses shortened', {
    tags: 'parts',
  }, async () => {
    const id = registeredId(
      await register(service, cookie, {
        name: 'Described Desk',
        redirect_uris: `https://desk.example/callback\n${long}`,
        scopes: 'BOOKING_READ',
      }),
    );

    const [email] = (await mailTo(service, admins[0].email)).filter(({ text }) => text.includes(id));
    expect(email?.text).toContain(`\nOwner: Test ${owner.username}\n    ${owner.email}\n`);
    expect(email?.text).toMatch(
      /\nRedirect URIs: https:\/\/desk\.example\/callback\n {4}https:\/\/desk\.example\/x+…x+\/end\n/,
    );
    expect(email?.text).toContain('\nPermissions: See your bookings, with the names');
    expect(email?.text).not.toContain(long);
  });

  test('of a change is the same, as it would be', { tags: 'parts' }, async () => {
    const id = await submit('Changing Desk');
    await settle('accept', id);

    const { client_type: _type, ...values } = registration;
    const changes = {
      name: 'Changed Desk',
      redirect_uris: 'https://desk.example/new',
      access: 'chosen',
      scopes: 'BOOKING_READ',
    };
    const form = await openEdit(service, id, cookie);
    await postForm(service, `${developerHome}/${id}/edit`, { ...form, ...values, ...changes }, cookie);

    const [email] = (await mailTo(service, admins[0].email)).filter(({ subject }) =>
      subject.startsWith('Changes to review: Changing Desk'),
    );
    expect(email?.text).toContain('\nChanged: Name, Redirect URIs, Scopes\n');
    expect(email?.text).toContain(`\nOwner: Test ${owner.username}\n    ${owner.email}\n`);
    expect(email?.text).toContain('\nRedirect URIs: https://desk.example/new\n');
    expect(email?.text).toContain('\nPermissions: See your bookings, with the names');
  });
});

describe('mail and change are one transaction (architecture §3)', () => {
  test('when the mail cannot be kept, the client is not registered', async () => {
    const before = await digestTables(database);

    const answer = await refusingInserts(database, 'outbox', () => register(service, cookie));

    expect(answer.statusCode).toBe(500);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(await digestTables(database)).toEqual(before);
  });

  test('when the client cannot be kept, no mail goes out', async () => {
    const before = await digestTables(database);

    const answer = await refusingCommits(database, 'clients', () => register(service, cookie));

    expect(answer.statusCode).toBe(500);
    expect(await digestTables(database)).toEqual(before);
  });

  test.each(['accept', 'reject'] as const)('when %s cannot be kept, no mail goes out', async (decision) => {
    const id = await submit();
    const before = await digestTables(database);

    const answer = await refusingCommits(database, 'clients', () => settle(decision, id));

    expect(answer.statusCode).toBe(500);
    expect(await digestTables(database)).toEqual(before);
  });
});

describe('admins who decide at the same time (contract §2)', () => {
  test.each([
    ['accept and reject', 'accept', 'reject'],
    ['accept twice', 'accept', 'accept'],
    ['reject twice', 'reject', 'reject'],
  ] as const)('%s: exactly one decides, and exactly one mail says what stands', async (_name, one, other) => {
    const developer = await addUser(service);
    const as = await startSession(service, developer);
    for (let round = 0; round < 8; round += 1) {
      const name = `Contested Desk ${one} ${other} ${round}`;
      const id = await submit(name, as);

      const answers = await Promise.all([
        settle(one, id, adminCookies[0]),
        settle(other, id, adminCookies[1]),
      ]);

      const mails = (await mailTo(service, developer.email)).filter(({ subject }) =>
        subject.startsWith(`${name} `),
      );
      const row = await findClientRow(service, id);
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 409]);
      expect(mails.map(({ subject }) => subject)).toEqual([
        row?.status === 'accepted' ? `${name} was approved` : `${name} was rejected`,
      ]);
      expect(row?.reviewerId).toBe(admins[answers[0]?.statusCode === 303 ? 0 : 1].id);
    }
  });
});
