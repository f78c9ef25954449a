import type { FastifyReply, FastifyRequest } from 'fastify';
import { actAndTell, datesFor, holdEmail } from '../../accounts/emails.ts';
import { auditContextOf, requireRecentSignIn, sessionOf } from '../../accounts/sessions/session.ts';
import { momentOf } from '../../oauth/standing.ts';
import type { Email } from '../../platform/mail/email.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import type { Said, Sentence, Words } from '../../platform/words.ts';
import { byField, idParams, readAsApi, type SentFields, sentFields, shownAgain } from '../../v2/form.ts';
import { orNotFound, sendNotFoundPage } from '../../web/error-pages.ts';
import type { FormFaults } from '../../web/forms.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { listUnwritten } from '../bookings/entries/store.ts';
import { errorMessages } from '../calendars/calendar-error.ts';
import { type Connection, chooseDestination, connectCaldav, connectFeeds } from '../calendars/connect.ts';
import { newCaldav, newFeeds } from '../calendars/request.ts';
import { showConnected, showDestination } from '../calendars/response.ts';
import { deleteCalendar, findChoosingApp, listCalendars } from '../calendars/store.ts';
import { tellOutage } from '../calendars/watch.ts';
import { maxCalendars } from '../limits.ts';
import { type CalendarProvider, calendarProviders } from './calendar-providers.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/settings/calendars': Page & Awaited<ReturnType<typeof readList>>;
    'scheduling/settings/calendar': Page & FormFaults & ReturnType<typeof describeForm>;
  }
}

const home = '/settings/calendars';
const weekMs = 7 * 86_400_000;
const doneWords = {
  connected: 'Calendar connected. Its busy times block bookings now.',
  chosen: 'New and changed bookings are written to this calendar from now on.',
  nowhere: 'New bookings are no longer written to a calendar.',
  disconnected: 'Calendar disconnected. Its address and password are deleted.',
} as const satisfies Record<string, Sentence>;
const entryWords: Readonly<Record<string, Sentence>> = {
  ...errorMessages,
  access_ended:
    'The app that chose the calendar no longer has access to your bookings, or your password was reset. Choose a calendar yourself.',
  changed_there: 'The entry was changed or deleted in your calendar, so we left it.',
  credentials: 'The server refused the username or password. Connect the account again.',
  not_allowed: 'The server doesn’t let us write to this calendar. Choose another one.',
  no_room: 'The storage of your calendar is full.',
  refused: 'The server refused the entry.',
  status: 'The server failed.',
};

type Unwritten = Awaited<ReturnType<typeof listUnwritten>>[number];

function showUnwritten({ title, startsAt, status, failure, dueAt }: Unwritten, { t, say }: Words) {
  const again = dueAt === null ? '' : ` ${t('We’ll try again.')}`;
  const words =
    failure === null
      ? t('It waits until your calendar takes entries again.')
      : `${say(entryWords[failure] ?? 'The server failed.')}${again}`;
  return { title, startsAt, isCancelled: status === 'cancelled', words };
}

/** People copy what the address bar of their calendar shows. */
const isGooglePage = /^\s*https:\/\/calendar\.google\.com\/calendar\/(?!ical\/)/i;
const googleFault: Sentence =
  'This is the page of your calendar. Copy “Secret address in iCal format” from its settings.';

const kindWords = { ics_feed: 'ICS feed', caldav: 'CalDAV' } as const satisfies Record<string, Sentence>;
const tooMany: Said = { text: 'You already have {max} calendars.', values: { max: maxCalendars } };

export async function registerCalendarSettings(app: ScopedApp): Promise<void> {
  const { config, db, secrets } = app;
  tellOutcomes(app, doneWords);

  app.get(home, async (request, reply) =>
    sendPage(reply, 'scheduling/settings/calendars', await readList(request)),
  );

  app.post(`${home}/destination`, { schema: { body: sentFields } }, async (request, reply) => {
    const { person } = sessionOf(request);
    const { destination = '' } = request.body;
    const externalId = typeof destination === 'string' && destination !== '' ? destination : undefined;
    const isChosen = await actAndTell(
      app,
      person,
      (tx) => chooseDestination({ db: tx, secrets }, person.id, externalId, auditContextOf(request)),
      (done, words) =>
        done && externalId !== undefined ? destinationEmail(config.appUrl, words) : undefined,
    );
    if (!isChosen) return sendNotFoundPage(reply);
    return reply.redirect(`${home}?done=${externalId === undefined ? 'nowhere' : 'chosen'}`, 303);
  });

  for (const [provider, about] of Object.entries<CalendarProvider>(calendarProviders)) {
    const path = `${home}/${provider}`;
    app.get(path, { preValidation: requireRecentSignIn, schema: {} }, (_request, reply) =>
      sendForm(reply, about, { typed: { url: about.url ?? '' }, faults: {} }),
    );

    app.post(path, { schema: { body: sentFields } }, async (request, reply) => {
      const sent = request.body;
      const connected = await connect(request, about, sent);
      if (connected.ok) return reply.redirect(`${home}?done=connected`, 303);
      return sendForm(reply.code(400), about, shownAgain(sent, faultsOf(connected)));
    });
  }

  app.get(`${home}/:id/disconnect`, { schema: { params: idParams } }, async (request, reply) => {
    const { t } = request.words;
    const found = await listCalendars(db, sessionOf(request).person.id);
    const { name } = orNotFound(found.find(({ id }) => id === request.params.id));
    return sendPage(reply, 'deletion', {
      title: t('Disconnect {name}?', { name }),
      text: t(
        'Its busy times no longer block bookings, and no bookings are written to it. We delete its address and password.',
      ),
      button: t('Disconnect calendar'),
      back: { address: home, words: t('Calendars') },
    });
  });

  const ending = {
    config: { oldSignInBecause: 'it ends what is read and written elsewhere' },
    schema: { params: idParams },
  };
  app.post(`${home}/:id/disconnect`, ending, async (request, reply) => {
    const { id } = sessionOf(request).person;
    orNotFound(await deleteCalendar(db, id, request.params.id, auditContextOf(request)));
    return reply.redirect(`${home}?done=disconnected`, 303);
  });

  async function connect(
    request: FastifyRequest,
    { kind, words, steps }: CalendarProvider,
    sent: SentFields,
  ): Promise<Connection | Refused> {
    const { url, username, password } = sent;
    const usualName = steps.length === 0 ? undefined : request.words.say(words);
    const name = sent['name'] === '' ? usualName : sent['name'];
    const { id: userId, timeZone } = sessionOf(request).person;
    const [owner, by] = [{ userId, timeZone, words: request.words }, auditContextOf(request)];
    if (kind === 'ics') {
      if (isGooglePage.test(String(url))) return { ok: false, ...shownAgain(sent, { url: googleFault }) };
      const form = readAsApi(newFeeds, { urls: [url], name }, sent);
      return form.ok ? connectFeeds(app, form.value, owner, by) : form;
    }
    const form = readAsApi(newCaldav, { url, username, password, name }, sent);
    return form.ok ? connectCaldav(app, form.value, owner, by) : form;
  }
}

function destinationEmail(appUrl: string, words: Words): Email {
  const { t } = words;
  const text = t('Your bookings are written to another calendar from now on.');
  return holdEmail(t('Calendar chosen'), text, home, appUrl, words);
}

async function readList(request: FastifyRequest) {
  const { calendars, config, db, runtime, secrets } = request.server;
  const { person } = sessionOf(request);
  const { words } = request;
  const { t, say } = words;
  const { id } = person;
  const now = runtime.now();
  const range = { start: now.getTime(), end: now.getTime() + weekMs };
  // What was read is noted in the list below.
  const later = (await listCalendars(db, id)).flatMap(({ id: calendarId, unreadable }) => {
    const start = unreadable?.from ?? 0;
    return start > now.getTime() ? calendars.read([id], { start, end: start + 1 }, [calendarId]) : [];
  });
  const [{ busy, unavailable, unknownZones, unread }] = await Promise.all([
    calendars.read([id], range),
    ...later,
  ]);
  const [found, unwritten, chooser] = await Promise.all([
    listCalendars(db, id),
    listUnwritten(db, id, now),
    findChoosingApp(db, id, momentOf(config.lifetimes, now)),
  ]);
  const writable = found.flatMap((it) =>
    showConnected(it, secrets).calendars.flatMap(({ externalId, name, readOnly }) =>
      readOnly ? [] : [[externalId, `${it.name}: ${name}`] as const],
    ),
  );
  const destination = showDestination(found, secrets);
  const quoted = (names: readonly string[] = []): string =>
    words.list(names.map((name) => t('“{name}”', { name })));
  const countOf = (calendarId: number): number => busy.filter((one) => one.calendarId === calendarId).length;
  return {
    title: t('Calendars'),
    providers: Object.entries<CalendarProvider>(calendarProviders).map(([name, provider]) => ({
      ...provider,
      address: `${home}/${name}`,
    })),
    destinations: writable.length === 0 ? [] : [['', t('Nowhere')] as const, ...writable],
    destination: destination?.externalId ?? '',
    chooser,
    unwritten: unwritten.map((one) => showUnwritten(one, words)),
    calendars: found.map((calendar) => ({
      ...calendar,
      kind: say(kindWords[calendar.kind]),
      isReadable:
        calendar.unreadable === null && !unavailable.some(({ calendarId }) => calendarId === calendar.id),
      outage: tellOutage(calendar, datesFor(person, words), words),
      unknownZones: quoted(unknownZones.get(calendar.id)),
      unread: quoted(unread.get(calendar.id)),
      ownZone: person.timeZone,
      busyTimes: countOf(calendar.id),
    })),
  };
}

type Refused = FormFaults & { readonly ok: false };

function faultsOf(refused: Exclude<Connection, { ok: true }> | Refused): FormFaults['faults'] {
  if ('reason' in refused && refused.reason === 'too_many') return { form: tooMany };
  const { urls, ...faults } = byField('faults' in refused ? refused.faults : refused.details);
  return urls === undefined ? faults : { ...faults, url: urls };
}

async function sendForm(reply: FastifyReply, provider: CalendarProvider, form: FormFaults) {
  return sendPage(reply, 'scheduling/settings/calendar', {
    ...describeForm(reply.request.words, provider),
    ...form,
  });
}

function describeForm({ t, say }: Words, { kind, note, steps, words }: CalendarProvider) {
  const isNamed = steps.length > 0;
  return {
    title: isNamed ? t('Connect {calendar}', { calendar: say(words) }) : say(words),
    isCaldav: kind === 'caldav',
    steps,
    note,
    usualName: isNamed ? say(words) : '',
  };
}
