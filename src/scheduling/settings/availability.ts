import type { FastifyReply, FastifyRequest } from 'fastify';
import { weekDays } from '../../accounts/person.ts';
import { sessionOf } from '../../accounts/sessions/session.ts';
import { cityOf, readZone, showZones } from '../../accounts/time-zones.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import { idParams, readAsApi, type SentFields, sentFields, shownAgain } from '../../v2/form.ts';
import { orNotFound, sendNotFoundPage } from '../../web/error-pages.ts';
import { type FormFaults, focusOf } from '../../web/forms.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { tellInstant } from '../core/days.ts';
import { localeOf } from '../pages/shown-booking.ts';
import {
  describeHours,
  describeTimes,
  newSchedule,
  readOverrides,
  readWeekly,
  timesOf,
  tooManyOverrides,
  usualHours,
  type WrittenSpan,
  writeOverrides,
  writeWeekly,
} from '../schedules/request.ts';
import { tooManySchedules } from '../schedules/routes.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  findSchedule,
  listScheduleHours,
  type NamedSchedule,
  type Schedule,
} from '../schedules/store.ts';
import { addedRow, asksForRows, type Row, type RowKind, rowsIn, typedRows } from './rows.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/settings/availability': Page & {
      readonly usual: string;
      readonly schedules: readonly (NamedSchedule & { readonly hours: string; readonly city: string })[];
    };
    'scheduling/settings/schedule': Page & FormFaults & ReturnType<typeof describeForm>;
  }
}

const home = '/settings/availability';
const doneWords = {
  created: 'Schedule created.',
  saved: 'Schedule saved.',
  deleted: 'Schedule deleted.',
} as const;
const usualTimes = { startTime: '09:00', endTime: '17:00' } as const;
const maxLine = 400;
const zoneFault = 'Choose a city from the list, or a time zone such as Europe/Berlin.';
const timesFault = 'Use times such as 09:00-12:00, 13:00-17:00 or 9am-5pm.';
const dateFault = 'Enter a date.';
const dateTimesFault = 'Enter a start and a later end, or choose Day off.';
const overrideRows: RowKind = { name: 'override', parts: ['Date', 'Off', 'From', 'To'], max: 200 };

export async function registerAvailability(app: ScopedApp): Promise<void> {
  const { db, runtime } = app;
  tellOutcomes(app, doneWords);

  app.get(home, async (request, reply) => {
    const found = await listScheduleHours(db, userOf(request));
    const locale = localeOf(request);
    return sendPage(reply, 'scheduling/settings/availability', {
      title: 'Availability',
      schedules: found.map((schedule) => ({
        ...schedule,
        hours: describeHours(schedule, locale),
        city: cityOf(schedule.timeZone),
      })),
      usual: describeTimes(usualTimes, locale),
    });
  });

  app.get(`${home}/new`, { schema: {} }, async (_request, reply) => {
    const typed = { name: 'Working hours', ...typedDays(usualHours) };
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
    const usual = describeTimes(usualTimes, localeOf(request));
    const after = found.isDefault
      ? `Your oldest other schedule becomes the default. Without one, people can book you Monday to Friday, ${usual}.`
      : 'Event types that use it use your default schedule then.';
    return sendPage(reply, 'deletion', {
      title: `Delete ${found.name}?`,
      text: `${after} You can’t undo this.`,
      button: 'Delete schedule',
      back: { address: `${home}/${found.id}`, words: 'Edit schedule' },
    });
  });

  app.post(`${home}/:id/delete`, { schema: { params: idParams } }, async (request, reply) => {
    const isDeleted = await deleteSchedule(db, userOf(request), request.params.id);
    return isDeleted ? reply.redirect(`${home}?done=deleted`, 303) : sendNotFoundPage(reply);
  });

  async function save(reply: FastifyReply, found: Schedule | undefined, fields: SentFields) {
    const sent = withHours(fields);
    if (asksForMore(fields)) return sendForm(reply, found, shownAgain(sent, {}));
    const form = readForm(sent, found && splitOverrides(found, runtime.now()).hidden);
    if (!form.ok) return sendForm(reply.code(400), found, form);
    const { availability, overrides, ...values } = form.value;
    const kept = readOverrides(overrides, runtime.now());
    if (kept === undefined)
      return sendForm(reply.code(400), found, shownAgain(sent, { form: tooManyOverrides }));
    const row = { ...values, weekly: readWeekly(availability), overrides: kept };
    const saved = found
      ? orNotFound(await changeSchedule(db, userOf(reply.request), found.id, row))
      : await createSchedule(db, userOf(reply.request), row, runtime.now());
    if (saved !== undefined) return reply.redirect(`${home}?done=${found ? 'saved' : 'created'}`, 303);
    return sendForm(reply.code(409), found, shownAgain(sent, { form: tooManySchedules }));
  }
}

const userOf = (request: FastifyRequest): number => sessionOf(request).person.id;

/** Reads `9`, `9:00`, `9.00`, `0900`, `9am` or `9:00 AM`. */
function readTime(text: string) {
  const [, hour = '', minute = '00', half] =
    /^(\d{1,2})(?:[:.h]?(\d{2})|h)?(?:\s*([ap])\.?m\.?)?$/i.exec(text.trim()) ?? [];
  if (hour === '' || (half !== undefined && !(Number(hour) >= 1 && Number(hour) <= 12))) return undefined;
  return { hour: Number(hour), minute, half: half?.toLowerCase(), isOf12: /^[1-9]$|^1[0-2]$/.test(hour) };
}

type Time = NonNullable<ReturnType<typeof readTime>>;

function writeTime({ hour, minute, half }: Time): string {
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

/** People write `9-5` for the day's work, and `1-5pm` for an afternoon. */
function readSpan(start: Time, end: Time): WrittenSpan {
  const isEarlier = start.hour % 12 < end.hour % 12;
  const half = start.half ?? (isEarlier && start.isOf12 ? end.half : undefined);
  const startTime = writeTime({ ...start, half });
  const plain = writeTime(end);
  const later = end.isOf12 && plain <= startTime ? writeTime({ ...end, half: end.half ?? 'p' }) : plain;
  const endTime = later > startTime ? later : plain;
  return { startTime, endTime: endTime === '00:00' && startTime !== '00:00' ? '24:00' : endTime };
}

/** Reads `09:00-12:00, 1pm-5pm` and what else people write; midnight as an end is the day's end. */
function readTimes(text: string): WrittenSpan[] | undefined {
  if (text.length > maxLine) return undefined; // protects: C55
  const spans = text.split(/,|;|\band\b/i);
  const times = spans.flatMap((span) => {
    const ends = span.split(/[-\u2010-\u2015\u2212]|\b(?:to|until)\b/i);
    const [start, end] = ends.map(readTime);
    return start && end && ends.length === 2 ? [readSpan(start, end)] : [];
  });
  return times.length === spans.length ? times : undefined;
}

const lineOf = (sent: SentFields, name: string): string => {
  const text = sent[name];
  return typeof text === 'string' ? text.trim() : '';
};

const maxRows = 100;

/** Rows of a day become a line such as `09:00-12:00, 13:00-17:00`, which may be sent itself. */
function withHours(sent: SentFields): SentFields {
  const lines = weekDays.map((day) => {
    if (!(`${day}0From` in sent)) return [day, lineOf(sent, day)] as const;
    const rows = Array.from({ length: maxRows }, (_, row) => [
      lineOf(sent, `${day}${row}From`),
      lineOf(sent, `${day}${row}To`),
    ]);
    const filled = rows.map((ends) => ends.join('-')).filter((span) => span !== '-');
    const spans = filled.map((span) => (span === '00:00-00:00' ? '00:00-24:00' : span));
    return [day, `${day}On` in sent ? spans.join(', ') : ''] as const;
  });
  const hours = Object.fromEntries(lines);
  const { add, copy } = sent;
  const added = weekDays.find((day) => day === add);
  if (added !== undefined) hours[added] = [hours[added], '-'].filter(Boolean).join(', ');
  const copied = weekDays.find((day) => day === copy);
  const all = copied === undefined ? {} : Object.fromEntries(weekDays.map((day) => [day, hours[copied]]));
  return { ...sent, ...hours, ...all };
}

const asksForMore = (sent: SentFields): boolean => asksForRows(sent) || 'copy' in sent;

/** A day off has hours to begin with, which count once it is on. */
function rowsOf(day: string, line: string) {
  const isReadable = line !== '' && line.length <= maxLine;
  const spans = isReadable ? (readTimes(line) ?? line.split(',').map(endsOf)) : [];
  const rows = spans.length === 0 ? [usualTimes] : spans;
  return {
    day,
    isOn: line !== '',
    rows: rows.map(({ startTime, endTime }, row) => ({
      name: `${day}${row}`,
      from: startTime,
      to: endTime === '24:00' ? '00:00' : endTime,
    })),
  };
}

function endsOf(span: string): WrittenSpan {
  const [startTime = '', endTime = ''] = span
    .split('-')
    .map((end) => readTime(end))
    .map((time) => time && writeTime(time));
  return { startTime, endTime };
}

const isDatedRow = ({ Date: date = '' }: Row): boolean => date.trim() !== '';

/** Dates that the form doesn't show stay as they are, unless it has them now. */
function readDates(sent: SentFields, hidden: Schedule['overrides']) {
  const faults: Record<string, string> = {};
  const rows = rowsIn(sent, overrideRows).filter(isDatedRow);
  const items = rows.map(({ Date: typed = '', From: from = '', To: to = '', ...row }, index) => {
    const date = typed.trim();
    if ('Off' in row) return { date, startTime: '00:00', endTime: '00:00' };
    const [span] = readTimes(`${from}-${to === '00:00' ? '24:00' : to}`) ?? [];
    if (span === undefined) faults[`override${index}Date`] = dateTimesFault;
    return { date, ...(span ?? usualTimes) };
  });
  const dates = new Set(items.map(({ date }) => date));
  const others = writeOverrides(hidden).filter(({ date }) => !dates.has(date));
  return { faults, overrides: [...items, ...others] };
}

function readForm(sent: SentFields, hidden: Schedule['overrides'] = {}) {
  const faults: Record<string, string> = {};
  const hours = weekDays.flatMap((day) => {
    const text = lineOf(sent, day);
    const times = text === '' ? [] : readTimes(text);
    if (times === undefined) faults[day] = timesFault;
    return (times ?? []).map((span) => ({ days: [day], ...span }));
  });
  const { overrides, faults: dateFaults } = readDates(sent, hidden);
  Object.assign(faults, dateFaults);
  const { name } = sent;
  const timeZone = readZone(String(sent['timeZone'] ?? ''));
  const body = { name, timeZone, isDefault: 'isDefault' in sent, availability: hours, overrides };
  const form = readAsApi(newSchedule, body, sent);
  if (!form.ok)
    for (const [path, fault] of Object.entries(form.faults)) {
      const [field = '', index, part] = path.split('.');
      const day = field === 'availability' ? hours[Number(index)]?.days[0] : undefined;
      if (field === 'availability' && !day) faults['form'] = 'Use up to 100 spans of time a week.';
      else if (day) faults[day] ??= `${timesFault} The end has to be after the start.`;
      else if (field === 'overrides' && index)
        faults[`override${index}Date`] ??= part === 'date' ? dateFault : dateTimesFault;
      else faults[field === 'overrides' ? 'form' : field] ??= field === 'timeZone' ? zoneFault : fault;
    }
  if (Object.keys(faults).length > 0) return { ok: false, ...shownAgain(sent, faults) } as const;
  return form;
}

function typedDays(weekly: Schedule['weekly']): Record<string, string> {
  return Object.fromEntries(
    weekDays.map((day, index) => [
      day,
      timesOf(writeWeekly(weekly.filter(({ weekDay }) => weekDay === index + 1))),
    ]),
  );
}

/** A form has so many fields at most, and nobody changes days that are over. */
function splitOverrides({ overrides, timeZone }: Schedule, now: Date) {
  const today = tellInstant(now.getTime(), timeZone).date;
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
  const rows = writeOverrides(splitOverrides(schedule, now).shown).map(({ date, startTime, endTime }) =>
    endTime === '00:00'
      ? { Date: date, Off: 'on' }
      : { Date: date, From: startTime, To: endTime === '24:00' ? '00:00' : endTime },
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

async function sendForm(reply: FastifyReply, found: Schedule | undefined, form: FormFaults) {
  return sendPage(reply, 'scheduling/settings/schedule', describeForm(reply.request, found, form));
}

function describeForm(request: FastifyRequest, found: Schedule | undefined, { typed, faults }: FormFaults) {
  const { weekStart, timeZone, timeFormat: hours } = sessionOf(request).person;
  const first = weekDays.indexOf(weekStart);
  const now = request.server.runtime.now();
  const zones = showZones(found?.timeZone ?? timeZone, { ...localeOf(request), hours }, now);
  const dates = showDates(typed);
  const isCut =
    found && Object.keys(splitOverrides(found, now).hidden).some((date) => date > now.toISOString());
  return {
    title: found === undefined ? 'New schedule' : 'Edit schedule',
    isChanged: request.method === 'POST',
    action: `${home}/${found?.id ?? 'new'}`,
    isNew: found === undefined,
    isDefault: found?.isDefault ?? false,
    focus:
      addedRow(typed, overrideRows, dates.length) ??
      focusOf(faults, ['name', 'timeZone', ...weekDays]) ??
      Object.keys(faults)[0],
    days: [...weekDays.slice(first), ...weekDays.slice(0, first)].map((day) => rowsOf(day, typed[day] ?? '')),
    zones: zones.list,
    dates,
    isCut: isCut === true,
    typed: { timeZone: zones.shown, ...typed },
    faults,
  };
}
