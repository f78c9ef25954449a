import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { sessionOf } from '../../accounts/sessions/session.ts';
import { cityOf, readZone, showZones } from '../../accounts/time-zones.ts';
import { nameWeekDays } from '../../platform/locale.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import type { Said, Sentence, Words } from '../../platform/words.ts';
import { idParams, readAsApi, type SentFields, sentFields, shownAgain } from '../../v2/form.ts';
import { orNotFound, sendNotFoundPage } from '../../web/error-pages.ts';
import { type FormFaults, focusOf } from '../../web/forms.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { dateIn } from '../core/days.ts';
import { formatDate } from '../dates.ts';
import { maxSchedules } from '../limits.ts';
import { localeOf, type PageLocale } from '../pages/shown-booking.ts';
import {
  describeHours,
  describeSpans,
  maxOverrides,
  maxSpans,
  newSchedule,
  readOverrides,
  readWeekly,
  usualHours,
  type WrittenSpan,
  writeOverrides,
  writeWeekly,
} from '../schedules/request.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  findSchedule,
  listScheduleHours,
  type NamedSchedule,
  type Schedule,
} from '../schedules/store.ts';
import { asksForRows, focusInRows, type Row, type RowKind, rowsIn, typedRows } from './rows.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/settings/availability': Page & {
      readonly usual: string;
      readonly schedules: readonly (NamedSchedule & ReturnType<typeof describeWeek>)[];
    };
    'scheduling/settings/hours': Omit<FormFaults, 'typed'> &
      Readonly<Record<'name' | 'label' | 'value', string>> & { readonly focus: string | undefined };
    'scheduling/settings/schedule': Page & FormFaults & ReturnType<typeof describeForm>;
  }
}

const home = '/settings/availability';
const doneWords = {
  created: 'Schedule created.',
  saved: 'Schedule saved.',
  deleted: 'Schedule deleted.',
} as const satisfies Record<string, Sentence>;
const usualTimes = { startTime: '09:00', endTime: '17:00' } as const;
const zoneFault: Sentence = 'Choose a city from the list, or a time zone such as Europe/Berlin.';
const tooManySpans: Said = { text: 'Use up to {max} spans of time a week.', values: { max: maxSpans } };
const tooManyDates: Said = { text: 'Use up to {max} dates.', values: { max: maxOverrides } };
const tooManySchedules: Said = {
  text: 'You have {max} schedules, the maximum. Delete one first.',
  values: { max: maxSchedules },
};
const overrideRows: RowKind = { name: 'override', parts: ['Date', 'Off', 'From', 'To'], max: 200 };

export async function registerAvailability(app: ScopedApp): Promise<void> {
  const { db, runtime } = app;
  tellOutcomes(app, doneWords);

  app.get(home, async (request, reply) => {
    const { timeZone, weekStart } = sessionOf(request).person;
    const today = dateIn(runtime.now().getTime(), timeZone);
    const found = await listScheduleHours(db, userOf(request), today);
    const locale = localeOf(request);
    return sendPage(reply, 'scheduling/settings/availability', {
      title: request.words.t('Availability'),
      schedules: found.map((schedule) => ({
        ...schedule,
        ...describeWeek(schedule, weekDays.indexOf(weekStart), locale, request.words),
      })),
      usual: describeSpans(usualHours.slice(0, 1), locale),
    });
  });

  app.get(`${home}/new`, { schema: {} }, async (request, reply) => {
    const typed = { name: request.words.t('Working hours'), ...typedDays(usualHours) };
    return sendForm(reply, undefined, { typed, faults: {} });
  });

  const config = { oldSignInBecause: 'it gives nobody anything but hours to book' };
  app.post(`${home}/new`, { config, schema: { body: sentFields } }, (request, reply) =>
    save(reply, undefined, request.body),
  );

  app.get(`${home}/:id`, { schema: { params: idParams } }, async (request, reply) => {
    const found = orNotFound(await findSchedule(db, userOf(request), request.params.id));
    return sendForm(reply, found, { typed: typedOf(found, runtime.now()), faults: {} });
  });

  const saving = { config, schema: { params: idParams, body: sentFields } };
  app.post(`${home}/:id`, saving, async (request, reply) =>
    save(reply, orNotFound(await findSchedule(db, userOf(request), request.params.id)), request.body),
  );

  app.get(`${home}/:id/delete`, { schema: { params: idParams } }, async (request, reply) => {
    const found = orNotFound(await findSchedule(db, userOf(request), request.params.id));
    const { t } = request.words;
    const hours = describeSpans(usualHours.slice(0, 1), localeOf(request));
    const after = found.isDefault
      ? t(
          'Your oldest other schedule becomes the default. Without one, people can book you Monday to Friday, {hours}.',
          {
            hours,
          },
        )
      : t('Event types that use it use your default schedule then.');
    return sendPage(reply, 'deletion', {
      title: t('Delete {name}?', { name: found.name }),
      text: `${after} ${t('You can’t undo this.')}`,
      button: t('Delete schedule'),
      back: { address: `${home}/${found.id}`, words: found.name },
    });
  });

  app.post(`${home}/:id/delete`, { schema: { params: idParams } }, async (request, reply) => {
    const isDeleted = await deleteSchedule(db, userOf(request), request.params.id);
    return isDeleted ? reply.redirect(`${home}?done=deleted`, 303) : sendNotFoundPage(reply);
  });

  async function save(reply: FastifyReply, found: Schedule | undefined, sent: SentFields) {
    if (asksForRows(sent)) return sendForm(reply, found, shownAgain(sent, {}));
    const form = readForm(sent, found && splitOverrides(found, runtime.now()).hidden);
    if (!form.ok) return sendForm(reply.code(400), found, form);
    const { availability, overrides, ...values } = form.value;
    const kept = readOverrides(overrides, runtime.now());
    if (kept === undefined) return sendForm(reply.code(400), found, shownAgain(sent, { form: tooManyDates }));
    const row = { ...values, weekly: readWeekly(availability), overrides: kept };
    const saved = found
      ? orNotFound(await changeSchedule(db, userOf(reply.request), found.id, row))
      : await createSchedule(db, userOf(reply.request), row, runtime.now());
    if (saved !== undefined) return reply.redirect(`${home}?done=${found ? 'saved' : 'created'}`, 303);
    return sendForm(reply.code(409), found, shownAgain(sent, { form: tooManySchedules }));
  }
}

const userOf = (request: FastifyRequest): number => sessionOf(request).person.id;

const dayRows = (day: string): RowKind => ({ name: day, parts: ['From', 'To'], max: maxSpans });
const isFilled = ({ From = '', To = '' }: Row): boolean => `${From}${To}`.trim() !== '';

/** The schema refuses what is no time. Midnight as an end is the day's end. */
function readSpan({ From = '', To = '' }: Row): WrittenSpan {
  const [startTime = '', endTime = ''] = [From, To].map((time) => time.trim().padStart(5, '0'));
  return { startTime, endTime: endTime === '00:00' ? '24:00' : endTime };
}

const writeSpan = ({ startTime, endTime }: WrittenSpan): Row => ({
  From: startTime,
  To: endTime === '24:00' ? '00:00' : endTime,
});

const isAdded = (row: Row): boolean => Object.keys(row).length === 0;

/** A day off has hours to begin with, which count once it is on. A day without a line is off. */
function showDay(typed: FormFaults['typed'], day: string) {
  const isChosen = `${day}On` in typed;
  const from = (isChosen && weekDays.find((one) => one === typed['copy'])) || day;
  // A line that was added and not filled in yet stays while others are added.
  const keepsEmpty = from === day && asksForRows(typed);
  const rows = rowsIn(typed, dayRows(from)).filter(
    (row) => isAdded(row) || (isChosen && (keepsEmpty || isFilled(row))),
  );
  return {
    day,
    isOn: rows.length > 0 || (isChosen && !('remove' in typed)),
    rows: (rows.length === 0 ? [writeSpan(usualTimes)] : rows).map(({ From = '', To = '' }, row) => ({
      name: `${day}${row}`,
      from: From,
      to: To,
    })),
  };
}

const isDatedRow = ({ Date: date = '' }: Row): boolean => date.trim() !== '';

/** Dates that the form doesn't show stay as they are, unless it has them now. */
function readForm(sent: SentFields, hidden: Schedule['overrides'] = {}) {
  const hours = weekDays.flatMap((day) => {
    const rows = `${day}On` in sent ? rowsIn(sent, dayRows(day)).filter(isFilled) : [];
    return rows.map((row, index) => ({ name: `${day}${index}`, days: [day], ...readSpan(row) }));
  });
  const dates = rowsIn(sent, overrideRows)
    .filter(isDatedRow)
    .map(({ Date: date = '', ...row }, index) => ({
      name: `override${index}`,
      date: date.trim(),
      ...('Off' in row ? { startTime: '00:00', endTime: '00:00' } : readSpan(row)),
    }));
  const typedDates = new Set(dates.map(({ date }) => date));
  const others = writeOverrides(hidden).filter(({ date }) => !typedDates.has(date));
  const { name } = sent;
  const timeZone = readZone(String(sent['timeZone'] ?? ''));
  const days = { availability: hours, overrides: [...dates, ...others] };
  const form = readAsApi(newSchedule, { name, timeZone, isDefault: 'isDefault' in sent, ...days }, sent);
  if (form.ok) return form;
  const faults: Record<string, Said> = {};
  for (const [path, fault] of Object.entries(form.faults)) {
    const [field = '', index, part] = path.split('.');
    const lines = field === 'availability' ? hours : field === 'overrides' ? dates : [];
    const line = lines[Number(index)];
    if (line !== undefined) {
      const [end, words] = lineFaultOf(part, line);
      if (!(`${line.name}From` in faults && 'date' in line)) faults[`${line.name}${end}`] ??= words;
    } else if (field === 'availability') faults['form'] = tooManySpans;
    else faults[field] = field === 'timeZone' ? zoneFault : fault;
  }
  return { ...form, faults };
}

/** An end without a fault of its own is refused because of its start. */
function lineFaultOf(
  part: string | undefined,
  { endTime, ...line }: WrittenSpan,
): readonly [end: string, Sentence] {
  if (part === 'date') return ['Date', 'Enter a date.'];
  if ('date' in line)
    return [part === 'startTime' ? 'From' : 'To', 'Enter a start and a later end, or choose Day off.'];
  if (part === 'startTime') return ['From', 'Enter a start time.'];
  return [
    'To',
    /^\d\d:\d\d$/.test(endTime) && endTime <= '24:00'
      ? 'This must be after the start.'
      : 'Enter an end time.',
  ];
}

function typedDays(weekly: Schedule['weekly']): Record<string, string> {
  const days = weekDays.flatMap((day, index) => {
    const spans = writeWeekly(weekly.filter(({ weekDay }) => weekDay === index + 1));
    return spans.length === 0
      ? []
      : [{ [`${day}On`]: 'on', ...typedRows(dayRows(day), spans.map(writeSpan)) }];
  });
  return Object.assign({}, ...days);
}

/** A form has so many fields at most, and nobody changes days that are over. */
function splitOverrides({ overrides, timeZone }: Schedule, now: Date) {
  const today = dateIn(now.getTime(), timeZone);
  const shown: Record<string, Schedule['overrides'][string]> = {};
  const hidden: typeof shown = {};
  let rows = 0;
  for (const [date, hours] of Object.entries(overrides).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const isShown = date >= today && rows + Math.max(hours.length, 1) <= overrideRows.max / 2;
    if (isShown) rows += Math.max(hours.length, 1);
    (isShown ? shown : hidden)[date] = hours;
  }
  return { shown, hidden };
}

function typedOf(schedule: Schedule, now: Date): Record<string, string> {
  const rows = writeOverrides(splitOverrides(schedule, now).shown).map(({ date, ...span }) =>
    span.endTime === '00:00' ? { Date: date, Off: 'on' } : { Date: date, ...writeSpan(span) },
  );
  return { name: schedule.name, ...typedDays(schedule.weekly), ...typedRows(overrideRows, rows) };
}

/** Most dates that people add are days off. */
function showDates(typed: Readonly<Record<string, string>>) {
  const all = rowsIn(typed, overrideRows);
  const rows = asksForRows(typed) ? all : all.filter(isDatedRow);
  return rows.map((row, index) => ({
    name: `override${index}`,
    number: index + 1,
    date: row['Date'] ?? '',
    from: row['From'] ?? usualTimes.startTime,
    to: row['To'] ?? usualTimes.endTime,
    isOff: 'Off' in row || Object.keys(row).length === 0,
  }));
}

/** A week is drawn as its days are, and told in words. */
function describeWeek(
  { weekly, timeZone, next }: Awaited<ReturnType<typeof listScheduleHours>>[number],
  first: number,
  locale: PageLocale,
  words: Words,
) {
  const days = weekDays.map((_, column) =>
    weekly
      .filter(({ weekDay }) => weekDay === ((first + column) % 7) + 1)
      .map(({ startMinute, endMinute }) => ({ y: startMinute, height: endMinute - startMinute })),
  );
  const dates = datesAhead.parse(next === null ? [] : JSON.parse(next));
  const shown = dates.slice(0, 3).map(([date, hours]) => {
    const told = hours.length === 0 ? words.t('day off') : describeSpans(hours, locale);
    return `${formatDate(date, locale.language, 'short')}: ${told}`;
  });
  return {
    hours: describeHours({ weekly }, locale, words),
    city: cityOf(timeZone),
    days,
    dates: [...shown, ...(dates.length > shown.length ? [words.t('and more')] : [])].join(' · '),
  };
}

const spanOfDay = z.object({ startMinute: z.number(), endMinute: z.number() });
const datesAhead = z.array(z.tuple([z.string(), z.array(spanOfDay)]));

async function sendForm(reply: FastifyReply, found: Schedule | undefined, form: FormFaults) {
  return sendPage(reply, 'scheduling/settings/schedule', describeForm(reply.request, found, form));
}

function describeForm(request: FastifyRequest, found: Schedule | undefined, { typed, faults }: FormFaults) {
  const { weekStart, timeZone, timeFormat: hours } = sessionOf(request).person;
  const first = weekDays.indexOf(weekStart);
  const now = request.server.runtime.now();
  const zones = showZones(found?.timeZone ?? timeZone, { ...localeOf(request), hours }, now);
  const dates = showDates(typed);
  const { t, locale } = request.words;
  const names = nameWeekDays(locale ?? 'en');
  const shown = weekDays.map((day, index) => ({ ...showDay(typed, day), words: names[index] ?? day }));
  const days = [...shown.slice(first), ...shown.slice(0, first)];
  const lines = days.flatMap(({ rows }) => rows.flatMap(({ name }) => [`${name}From`, `${name}To`]));
  const isCut =
    found && Object.keys(splitOverrides(found, now).hidden).some((date) => date > now.toISOString());
  return {
    title: found?.name ?? t('New schedule'),
    isChanged: request.method === 'POST',
    isNew: found === undefined,
    isDefault: found?.isDefault ?? false,
    focus:
      focusAfterButton(typed, days, dates.length) ??
      focusOf(faults, ['name', 'timeZone', ...lines]) ??
      Object.keys(faults)[0],
    days,
    zones: zones.list,
    dates,
    isCut: isCut === true,
    typed: { timeZone: zones.shown, ...typed },
    faults,
  };
}

/** Who has pressed a button goes on where it was. */
function focusAfterButton(
  typed: FormFaults['typed'],
  days: readonly ReturnType<typeof showDay>[],
  dates: number,
): string | undefined {
  const inDays = days.map(({ day, isOn, rows }) => {
    const found = typed['copy'] === day ? `copy ${day}` : focusInRows(typed, dayRows(day), rows.length);
    return found === undefined || isOn ? found : day;
  });
  return focusInRows(typed, overrideRows, dates) ?? inDays.find((name) => name !== undefined);
}
