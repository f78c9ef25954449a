import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { readTitle } from '../../src/scheduling/core/booking.ts';
import { createInstantFormat, formatLength, weekDaysFrom } from '../../src/scheduling/dates.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { openWith, send } from '../support/any-visitor.ts';
import { addEventType, addTeamEventType, bookOn, fillIn, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { faultOf, textOf, titleOf, typedIn } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { trustingMail } from '../support/verification.ts';
import { addUser, signIn } from '../support/world.ts';
import { wordsIn } from './pseudo-language.ts';

const service = await openTestService(trustingMail);
const { db } = service.database;
const ann = await addUser(service);
const talk = await addEventType(service, ann);
const timeZone = 'Europe/Berlin';

const inLanguage = (language: string) => ({ headers: { 'accept-language': language } });
const languageIn = ({ body }: { readonly body: string }) => /<html lang="([^"]+)"/.exec(body)?.[1];
const headingsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<th scope="col"><span aria-hidden="true">([^<]*)</g)].map(([, name = '']) => name);
const attendeeOf = async (own: string) =>
  (
    await db
      .select()
      .from(bookings)
      .where(eq(bookings.uid, uidIn(own)))
  )[0];

describe('booking pages speak the reader’s language (contract §1)', () => {
  const date = '2030-05-06';

  test('months, days, weeks, times and lengths are the language’s', async () => {
    const german = await openWith(service, talk.path, { date, timeZone }, inLanguage('de'));
    const japanesePage = await openWith(service, talk.path, { date, timeZone }, inLanguage('ja'));

    expect(headingsOf(german.body)).toEqual(['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So']);
    expect(textOf(german.body)).toContain('Mai 2030');
    expect(textOf(german.body)).toContain('Montag, 6. Mai 2030');
    expect(textOf(german.body)).toContain('30 Minuten');
    expect(textOf(japanesePage.body)).toContain('2030年5月6日月曜日');
    expect(headingsOf(japanesePage.body).toSorted()).toEqual(['土', '日', '月', '木', '水', '火', '金']);
  });

  test('a page is nobody else’s: readers of two languages who ask in turns get theirs', async () => {
    const open = (language: string) => openWith(service, talk.path, { date, timeZone }, inLanguage(language));
    const pages = await Promise.all(['de', 'fr', 'de', 'ar', 'en', 'fr'].map(open));

    expect(pages.map(languageIn)).toEqual(['de', 'fr', 'de', 'ar', 'en', 'fr']);
    expect(new Set(pages.map(({ headers }) => headers['cache-control']))).toEqual(new Set(['no-store']));
  });

  test('faults of the form are said in it, with their numbers and what was typed', async () => {
    const fields = await fillIn(service, talk.path, inBerlin(nextDate(), '10:00'));
    const sent = { ...fields, name: '', notes: 'x'.repeat(2001), guests: 'bo7' };
    const page = await send(service, talk.path, sent, inLanguage('de'));

    expect(page.statusCode).toBe(400);
    expect(faultOf(page, 'name')).toBe('Geben Sie Ihren Namen ein.');
    expect(faultOf(page, 'notes')).toBe('Verwenden Sie höchstens 2.000 Zeichen.');
    expect(faultOf(page, 'guests')).toBe(
      '„\u2068bo7\u2069“ ist keine gültige E-Mail-Adresse. Geben Sie eine pro Zeile ein.',
    );
  });

  test('what people wrote stays as it is, also where it looks like a sentence of ours', async () => {
    const own = await addEventType(service, ann, { title: 'Sign in', description: 'Page not found' });
    const page = await openWith(service, own.path, {}, inLanguage('de'));

    expect(titleOf(page)).toBe('Sign in');
    expect(textOf(page.body)).toContain('Page not found');
  });

  test('the names of a team’s people are joined as the language joins them', async () => {
    const members = await Promise.all(Array.from({ length: 6 }, () => addUser(service)));
    const team = await addTeam(service, ann);
    for (const member of members) await joinTeam(service, team, member, 'member');
    const { path } = await addTeamEventType(service, team, members);
    const shown = async (language: string) =>
      textOf((await openWith(service, path, {}, inLanguage(language))).body);

    expect(await shown('ja')).toContain('');
    expect(await shown('ar')).toContain('');
  });

  test('an unknown event type says so in it', async () => {
    const page = await openWith(service, `${talk.path}-none`, {}, inLanguage('es'));

    expect([page.statusCode, titleOf(page)]).toEqual([404, 'Tipo de evento no encontrado']);
    expect(page.body).toContain(`Ver qué ofrece Test ${ann.username}`);
  });

  test('runs from right to left in Arabic: the arrows point the other way', async () => {
    const page = await openWith(service, talk.path, { date, timeZone }, inLanguage('ar'));

    expect(page.body).toContain('<html lang="ar" dir="rtl">');
    expect(page.body).toContain('<span class="arrow next">');
    expect(headingsOf(page.body)).toEqual(['س', 'ح', 'ن', 'ث', 'ر', 'خ', 'ج']);
  });

  test('a chosen language brings its clock and week; a profile’s clock stays', async () => {
    const host = await addUser(service);
    await db.update(users).set({ timeFormat: 12, weekStart: 'Sunday' }).where(eq(users.id, host.id));
    const chosen = { cookie: 'latchkey_language=de', 'accept-language': 'en-US' };
    const query = { date, timeZone };
    const visitor = await openWith(service, talk.path, query, { headers: chosen });
    const headers = { cookie: await signIn(service, host), 'accept-language': 'de' };
    const person = await openWith(service, talk.path, query, { headers });

    expect([languageIn(visitor), languageIn(person)]).toEqual(['de', 'de']);
    expect(headingsOf(visitor.body)[0]).toBe('Mo');
    expect(visitor.body).toContain('>16:00<');
    expect(typedIn(visitor, 'timeZone')).not.toMatch(/[AP]M/);
    expect(headingsOf(person.body)[0]).toBe('So');
    expect(person.body).toContain('>4:00 PM<');
  });

  test('the title of a booking is said in it, with the other side, and its entry’s stays', async () => {
    const own = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'));
    const page = await openWith(service, own, {}, inLanguage('ja'));

    expect(titleOf(page)).toBe(`Test ${ann.username}さんとの予約が完了しました`);
    expect(page.body).toContain(`Test ${ann.username} との Talk · Latchkey</title>`);
    expect((await attendeeOf(own))?.title).toBe(`Talk between Test ${ann.username} and Dana`);
  });

  test('hosts’ own pages speak it, too', async () => {
    const own = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'));
    const headers = { cookie: await signIn(service, ann), 'accept-language': 'de' };
    const page = await openWith(service, `/bookings/${uidIn(own)}`, {}, { headers });

    expect(languageIn(page)).toBe('de');
    expect(titleOf(page)).toBe('Sie haben einen Termin mit Dana');
    expect(textOf(page.body)).toContain('Was geschehen ist');
  });
});

describe('a booking keeps the language of its page (contract §8)', () => {
  test.each([
    ['de-AT', '', 'de-AT'],
    ['nl-NL', '', 'nl-NL'],
    ['de-AT', 'fr', 'fr'],
    ['de-AT', 'en', 'en-AT'],
    ['pt-PT', '', 'pt-PT'],
    ['', '', 'en'],
  ])('"%s", with "%s" chosen, is %s', async (liked, chosen, kept) => {
    const headers = {
      ...(liked === '' ? {} : { 'accept-language': liked }),
      ...(chosen === '' ? {} : { cookie: `latchkey_language=${chosen}` }),
    };
    const fields = await fillIn(service, talk.path, inBerlin(nextDate(), '11:00'));
    const { headers: answer } = await send(service, talk.path, fields, { headers });

    expect((await attendeeOf(String(answer.location)))?.attendeeLanguage).toBe(kept);
  });
});

describe('dates of a language', () => {
  test.each([
    ['de', 'Montag, 23. November 2026, 04:00–04:30 Uhr'],
    ['ja', '2026年11月23日月曜日 4時00分～4時30分'],
    ['ar', 'الاثنين، 23 نوفمبر 2026، 04:00–04:30'],
  ])('are joined with their times as %s does', (tag, words) => {
    const at = Date.parse('2026-11-23T04:00:00Z');
    const format = createInstantFormat({ language: new Intl.Locale(tag), timeZone: 'UTC', hours: 24 });

    expect(format.span(at, at + 1_800_000)).toBe(words);
  });

  test('lengths have the plural forms of the language', async () => {
    const [ar, ja] = await Promise.all([wordsIn('ar'), wordsIn('ja')]);

    expect([1, 2, 5, 30, 60, 90, 120].map((minutes) => formatLength(minutes, ar))).toEqual([
      'دقيقة',
      'دقيقتان',
      '5 دقائق',
      '30 دقيقة',
      'ساعة',
      'ساعة و30 دقيقة',
      'ساعتان',
    ]);
    expect(formatLength(90, ja)).toBe('1時間30分');
    expect(formatLength(90)).toBe('1 hour 30 minutes');
  });

  test('names of weekdays are short enough for a column', () => {
    for (const tag of ['de', 'es', 'fr', 'pt-BR', 'ja', 'ar'])
      for (const { short } of weekDaysFrom(1, new Intl.Locale(tag))) expect(short.length).toBeLessThan(5);
  });

  test('a title that is not the service’s own is read as it is', () => {
    expect(readTitle({ title: 'Talk between us', attendeeName: 'Dana' })).toBeUndefined();
    expect(readTitle({ title: 'A between B between C and Dana', attendeeName: 'Dana' })).toEqual({
      event: 'A between B',
      hosts: 'C',
    });
  });
});
