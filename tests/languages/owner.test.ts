import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { addOnPage, createAuthenticator } from '../support/authenticator.ts';
import { addEventType } from '../support/booking.ts';
import {
  addGroup,
  addMember,
  addPerson,
  answerInvitation,
  invite,
  inviteTo,
  newAddress,
} from '../support/groups.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { mailTo, newRegistrationKey, postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

const reads = (id: number, set: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(set).where(eq(users.id, id));

test('emails about an account are in its person’s language, whoever causes them (contract §1)', async () => {
  const { user, cookie } = await addPerson(service);
  await reads(user.id, { language: 'de' });
  const admin = await startSession(service, await addUser(service, { isAdmin: true }));
  const owner = await addPerson(service);
  const joined = await addGroup(service, 'team', owner.user, 'Garden Club');
  const own = await addGroup(service, 'organization', user, 'Rosen');
  const member = await addMember(service, own, 'member');
  const send = (path: string, fields: Record<string, string>, as = cookie) =>
    postOwnForm(service, path, fields, as);
  const token = { form_key: newRegistrationKey(), name: 'Backup', days: '30', access: 'full' };
  const hook = { subscriberUrl: 'https://hooks.example/', triggers: 'BOOKING_CREATED' };
  const account = `/settings/admin/accounts/${user.id}`;

  await send('/settings/tokens/new', token);
  await send('/settings/webhooks/new', hook);
  await send(`${own.path}/members/${member.user.id}/role`, { role: 'admin' });
  await invite(service, own, cookie, newAddress(), 'owner');
  const link = await inviteTo(service, joined, owner.cookie, user.email);
  await answerInvitation(service, link, 'accept', joined, cookie);
  await addOnPage(service, cookie, createAuthenticator(service));
  await send('/settings/security/recovery-codes', {});
  await send(`${account}/remove-passkeys`, {}, admin);
  await send(`${account}/suspend`, { reason: 'Spam' }, admin);
  await send(`${account}/restore`, {}, admin);

  const sent = await mailTo(service, user.email);
  expect(sent.filter(({ html }) => !html.includes('<html lang="de"'))).toEqual([]);
  const texts = sent.map(({ text }) => text).join('\n');
  expect(texts).toContain(`${member.user.email} ist jetzt Admin der Organisation Rosen.`);
  expect(texts).toContain('Ihr Konto ist dem Team Garden Club als Mitglied beigetreten.');
  expect(sent.map(({ subject }) => subject).toSorted()).toEqual(
    [
      'Ein persönliches Token wurde erstellt',
      'Webhook erstellt',
      'Rolle vergeben',
      'Rolle vergeben',
      `Test ${owner.user.username} lädt Sie zu Garden Club ein`,
      'Sie sind Garden Club beigetreten',
      'Ihrem Konto wurde ein Passkey hinzugefügt',
      'Sie haben neue Wiederherstellungscodes',
      'Ihre Passkeys wurden entfernt',
      'Ihr Konto wurde gesperrt',
      'Ihr Konto wurde wiederhergestellt',
    ].toSorted(),
  );
});

describe('an email that invites', () => {
  const emailTo = async (email: string, inviterReads: Partial<typeof users.$inferInsert>, on = service) => {
    const owner = await addPerson(service);
    await reads(owner.user.id, inviterReads);
    const group = await addGroup(service, 'organization', owner.user, 'Garden Club');
    await invite(on, group, owner.cookie, email, 'admin');
    const [sent] = await mailTo(service, email);
    return sent?.subject.replace(`Test ${owner.user.username}`, '…');
  };

  test('is in the language of the account that it reaches (contract §1)', async () => {
    const invited = await addUser(service);
    await reads(invited.id, { language: 'ja', lastLanguage: 'fr' });

    expect(await emailTo(invited.email, { language: 'de' })).toBe('… さんから Garden Club への招待');
  });

  test('is in the inviter’s language where nobody has the address, and English where none is known', async () => {
    expect(await emailTo(newAddress(), { language: 'de', lastLanguage: 'fr' })).toBe(
      '… lädt Sie zu Garden Club ein',
    );
    expect(await emailTo(newAddress(), { lastLanguage: 'fr' })).toBe('… vous invite à rejoindre Garden Club');
    expect(await emailTo(newAddress(), { language: null })).toBe('… invites you to join Garden Club');
  });
});

describe('the language in Profile (contract §1)', () => {
  const home = '/settings/profile';
  const fields = { time_zone: 'Europe/Berlin', week_start: 'Monday', time_format: '24' };
  const start = async () => {
    const { user, cookie } = await addPerson(service);
    const save = (language: object, on = service) =>
      postOwnForm(on, home, { ...fields, name: 'Ann', username: user.username, ...language }, cookie);
    const stored = async () => (await db.select().from(users).where(eq(users.id, user.id)))[0];
    return { user, cookie, save, stored };
  };
  const open = (cookie: string, url = home, on = service) =>
    on.app.inject({ url, headers: { cookie, 'accept-language': 'fr' } });

  test('is kept with the account, for pages and emails, and in this browser for signed-out pages', async () => {
    const { cookie, save, stored } = await start();
    const before = await open(cookie);
    const saved = await save({ language: 'de' });

    expect([titleOf(before), titleOf(await open(cookie))]).toEqual(['Profil', 'Profil']);
    expect(before.body).toContain('<option value="browser" selected>Langue du navigateur</option>');
    expect((await stored())?.language).toBe('de');
    expect((await open(cookie)).body).toContain('<html lang="de"');
    expect((await open(cookie)).body).toContain('<option value="de" lang="de" selected>Deutsch</option>');
    expect(saved.cookies).toMatchObject([{ name: 'latchkey_language', value: 'de' }]);
  });

  test('follows the browser again, and stays as it is where the form says nothing of it', async () => {
    const { save, stored } = await start();
    await save({ language: 'ja' });
    await save({});
    expect((await stored())?.language).toBe('ja');

    const { cookies } = await save({ language: 'browser' });
    expect((await stored())?.language).toBeNull();
    expect(cookies).toMatchObject([{ name: 'latchkey_language', value: '' }]);
  });

  test.each(['xx', '', '__proto__', 'de-AT'])(
    'that there isn’t (%j) is a fault, and changes nothing',
    async (language) => {
      const { save, stored } = await start();
      const before = await stored();
      const answer = await save({ language, name: 'Another' });

      expect([answer.statusCode, faultOf(answer, 'own-language')]).toEqual([400, 'Choose a language.']);
      expect(await stored()).toEqual(before);
    },
  );

  test('is offered by no page without the part, and a form that has it changes the rest', async () => {
    const { cookie, save, stored } = await start();
    const without = await openAnotherInstance(service, { PARTS: '-languages' });
    const page = await open(cookie, home, without);
    await save({ name: 'Another' }, without);

    expect(page.body).toContain('<html lang="en">');
    expect(page.body).not.toContain('own-language');
    expect(page.body).not.toContain('language.js');
    expect(await stored()).toMatchObject({ language: null, name: 'Another' });
  });
});

test('Home and one’s bookings are in the reader’s language (contract §1)', async () => {
  const cookie = await startSession(service, await addUser(service));
  const open = (url: string) => service.app.inject({ url, headers: { cookie, 'accept-language': 'de' } });
  const home = await open('/');

  expect(titleOf(home)).toMatch(/^Hallo, Test /);
  expect(home.body).toContain('Erste Schritte');
  expect(titleOf(await open('/bookings?status=past'))).toBe('Vergangene Buchungen');
  expect((await open('/bookings/page')).body).toContain('Noch keine Buchungsseite');
});

test('the pages of one’s own account are in the reader’s language, with its menus and dates (contract §1)', async () => {
  const cookie = await startSession(service, await addUser(service));
  const open = (url: string) => service.app.inject({ url, headers: { cookie, 'accept-language': 'de' } });
  const titles: Record<string, string> = {};
  for (const page of [
    'profile',
    'profile/email',
    'password',
    'security',
    'sessions',
    'activity',
    'data',
    'data/delete',
  ])
    titles[page] = titleOf(await open(`/settings/${page}`));
  const activity = await open('/settings/activity');

  expect(titles).toEqual({
    profile: 'Profil',
    'profile/email': 'E-Mail-Adresse',
    password: 'Passwort',
    security: 'Sicherheit',
    sessions: 'Sitzungen',
    activity: 'Kontoaktivität',
    data: 'Ihre Daten',
    'data/delete': 'Konto löschen',
  });
  expect(activity.body).toContain('<strong>Ihr Konto wurde erstellt</strong>');
  expect(activity.body).toContain('aria-current="page"');
  expect(titleOf(await service.app.inject({ url: '/', headers: { 'accept-language': 'de' } }))).toBe(
    'Ihr Kalender, zu Ihren Bedingungen',
  );
});

const owner = await addPerson(service);
const { id } = await addEventType(service, owner.user);

describe('event types, availability and calendars (contract §1)', () => {
  const ask = async (url: string, fields?: Readonly<Record<string, string>>) => {
    const { cookie } = owner;
    await reads(owner.user.id, { language: 'de' });
    return fields
      ? postOwnForm(service, url, fields, cookie)
      : service.app.inject({ url, headers: { cookie } });
  };
  const home = '/settings/event-types';

  test('are in the reader’s language, with days, units and menus as it names them', async () => {
    const week = await ask('/settings/availability/new');
    const limits = await ask(`${home}/${id}/limits`);

    expect(titleOf(week)).toBe('Neuer Zeitplan');
    expect(week.body).toContain('aria-label="Montag, von"');
    expect(textOf(limits.body)).toContain('Werktage mit freien Terminen');
    expect(limits.body).toContain('<option value="business days">');
    expect(textOf((await ask(`${home}/${id}/delete`)).body)).toContain('Termintyp löschen');
    expect(textOf((await ask('/settings/calendars/google')).body)).toContain('Privatadresse im iCal-Format');
    expect(textOf((await ask(`${home}?done=deleted`)).body)).toContain('Seine Buchungen bleiben erhalten.');
  });

  test.each([
    [`${home}/new`, { title: '', lengthInMinutes: '30' }, 'title', 'Geben Sie einen Titel ein.'],
    [
      `${home}/new`,
      { title: 'x'.repeat(201), lengthInMinutes: '0' },
      'lengthInMinutes',
      'Geben Sie 1 Minute bis 24 Stunden ein.',
    ],
    [`${home}/new`, { title: 'x'.repeat(201) }, 'title', 'Verwenden Sie höchstens 200 Zeichen.'],
    [
      '/settings/availability/new',
      { name: 'x', timeZone: 'UTC', MondayOn: 'on', Monday0From: '10:00', Monday0To: '09:00' },
      'Monday0To',
      'Das Ende muss nach dem Beginn liegen.',
    ],
    [
      '/settings/calendars/ics',
      { url: 'ftp://x', name: '' },
      'url',
      'Verwenden Sie eine Adresse mit https:// oder http:// ohne Benutzernamen oder Passwort, mit bis zu 2000 Zeichen.',
    ],
    [
      '/settings/calendars/ics',
      { url: 'http://127.0.0.1:1/x', name: '' },
      'url',
      'Die Adresse liegt in einem privaten Netzwerk.',
    ],
  ])('say a fault at %s in it', async (url, fields, name, fault) => {
    const answer = await ask(url, fields);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, name)).toBe(fault);
  });
});

test('teams and organizations are in the reader’s language, with their faults and refusals (contract §1)', async () => {
  const { user, cookie } = await addPerson(service);
  await reads(user.id, { language: 'de' });
  const group = await addGroup(service, 'team', user, 'Garden Club');
  const path = `/settings/teams/${group.id}`;
  const open = async (url: string) => service.app.inject({ url, headers: { cookie } });
  const refused = await postOwnForm(service, '/settings/teams/new', { name: '', slug: '' }, cookie);
  const removed = await postOwnForm(service, `${path}/leave`, {}, cookie);

  expect(titleOf(await open('/settings/teams/new'))).toBe('Neues Team');
  expect(textOf((await open(path)).body)).toContain('Sie sind Inhaber');
  expect(titleOf(await open(`${path}/delete`))).toBe('Garden Club löschen');
  expect(titleOf(await open('/settings/organization'))).toBe('Organisation');
  expect(faultOf(refused, 'name')).toBe('Geben Sie einen Namen ein.');
  expect(textOf(removed.body)).toContain('Team ansehen');
});
