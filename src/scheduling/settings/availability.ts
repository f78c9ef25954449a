import type { FastifyReply, FastifyRequest } from 'fastify';
import { weekDays } from '../../accounts/person.ts';
import { sessionOf } from '../../accounts/sessions/session.ts';
import { nameOfToday, zoneChoicesWith } from '../../accounts/time-zones.ts';
import type { ReaderLocale } from '../../platform/locale.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import { idParams, readAsApi, type SentFields, sentFields, shownAgain } from '../../v2/form.ts';
import { type FormFaults, focusOf } from '../../web/forms.ts';
import { orNotFound, type Page, sendNotFoundPage, sendPage, tellOutcomes } from '../../web/pages.ts';
import { formatWallTime } from '../dates.ts';
import { localeOf } from '../pages/shown-booking.ts';
import {
  minuteOf,
  newSchedule,
  readOverrides,
  readWeekly,
  tooManyOverrides,
  usualHours,
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

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/settings/availability': Page & {
      readonly usual: string;
      readonly schedules: readonly (NamedSchedule & { readonly hours: string })[];
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
const timesFault = 'Use times such as 09:00-12:00, 13:00-17:00 or 9am-5pm.';
const overrideFault = 'Use lines such as 2030-12-24 off, 2030-12-31 09:00-12:00, or 2030-12-31 9am-1pm.';

export async function registerAvailability(app: ScopedApp): Promise<void> {
  const { db, runtime } = app;
  tellOutcomes(app, doneWords);

  app.get(home, async (request, reply) => {
    const found = await listScheduleHours(db, userOf(request));
    const locale = localeOf(request);
    return sendPage(reply, 'scheduling/settings/availability', {
      title: 'Availability',
      schedules: found.map((schedule) => ({ ...schedule, hours: describeHours(schedule, locale) })),
      usual: describeTimes(usualTimes, locale),
    });
  });

  app.get(`${home}/new`, { schema: {} }, async (request, reply) => {
    const { timeZone } = sessionOf(request).person;
    const typed = { name: 'Working hours', timeZone, ...typedDays(usualHours) };
    return sendForm(reply, undefined, { typed, faults: {} });
  });

  app.post(`${home}/new`, { schema: { body: sentFields } }, (request, reply) =>
    save(reply, undefined, request.body),
  );

  app.get(`${home}/:id`, { schema: { params: idParams } }, async (request, reply) => {
    const found = orNotFound(await findSchedule(db, userOf(request), request.params.id));
    return sendForm(reply, found, { typed: typedOf(found), faults: {} });
  });

  app.post(`${home}/:id`, { schema: { params: idParams, body: sentFields } }, async (request, reply) =>
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

  async function save(
    reply: FastifyReply,
    found: Schedule | undefined,
    sent: SentFields,
  ): Promise<FastifyReply> {
    const form = readForm(sent);
    if (!form.ok) return sendForm(reply.code(400), found, form);
    const { availability, overrides, ...values } = form.value;
    const kept = readOverrides(overrides, runtime.now());
    if (kept === undefined)
      return sendForm(reply.code(400), found, shownAgain(sent, { overrides: tooManyOverrides }));
    const row = { ...values, weekly: readWeekly(availability), overrides: kept };
    const saved = found
      ? orNotFound(await changeSchedule(db, userOf(reply.request), found.id, row))
      : await createSchedule(db, userOf(reply.request), row, runtime.now());
    if (saved !== undefined) return reply.redirect(`${home}?done=${found ? 'saved' : 'created'}`, 303);
    return sendForm(reply.code(409), found, shownAgain(sent, { form: tooManySchedules }));
  }
}

const userOf = (request: FastifyRequest): number => sessionOf(request).person.id;

/** Reads `9`, `9:00`, `9am` or `9:00 AM` as `09:00`. */
function readTime(text: string): string | undefined {
  const [, hour = '', minute = '00', half] =
    /^(\d{1,2})(?::(\d{2}))?(?:\s*([ap])\.?m\.?)?$/i.exec(text.trim()) ?? [];
  if (hour === '' || (half !== undefined && !(Number(hour) >= 1 && Number(hour) <= 12))) return undefined;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

/** Reads `09:00-12:00, 1pm-5pm`; midnight as an end is the day's end. */
function readTimes(text: string): Span[] | undefined {
  if (text.length > maxLine) return undefined;
  const spans = text.split(',');
  const times = spans.flatMap((span) => {
    const ends = span.split(/[-–—]/);
    const [startTime, endTime] = ends.map(readTime);
    if (!startTime || !endTime || ends.length !== 2) return [];
    const endsAtMidnight = endTime === '00:00' && startTime !== '00:00';
    return [{ startTime, endTime: endsAtMidnight ? '24:00' : endTime }];
  });
  return times.length === spans.length ? times : undefined;
}

const lineOf = (sent: SentFields, name: string): string => {
  const text = sent[name];
  return typeof text === 'string' ? text.trim() : '';
};

function readForm(sent: SentFields) {
  const faults: Record<string, string> = {};
  const hours = weekDays.flatMap((day) => {
    const text = lineOf(sent, day);
    const times = text === '' ? [] : readTimes(text);
    if (times === undefined) faults[day] = timesFault;
    return (times ?? []).map((span) => ({ days: [day], ...span }));
  });
  // The limit is one more than the API takes, so that the API reports the fault.
  const lines = lineOf(sent, 'overrides')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 1001);
  const overrides = lines.flatMap((line) => {
    const [, date = '', text = ''] =
      line.length > maxLine ? [] : (/^([^\s:]+):?\s+(.*)$/.exec(line.trim()) ?? []);
    if (text === 'off') return [{ date, startTime: '00:00', endTime: '00:00' }];
    const times = readTimes(text);
    if (times === undefined) faults['overrides'] = overrideFault;
    return (times ?? []).map((span) => ({ date, ...span }));
  });
  const { name, timeZone } = sent;
  const body = { name, timeZone, isDefault: 'isDefault' in sent, availability: hours, overrides };
  const form = readAsApi(newSchedule, body, sent);
  if (!form.ok)
    for (const [path, fault] of Object.entries(form.faults)) {
      const [field = '', index] = path.split('.');
      const day = field === 'availability' ? hours[Number(index)]?.days[0] : undefined;
      if (field === 'availability' && !day) faults['form'] = 'Use up to 100 spans of time a week.';
      else if (day) faults[day] ??= `${timesFault} The end has to be after the start.`;
      else faults[field] ??= field === 'overrides' && index ? overrideFault : fault;
    }
  if (Object.keys(faults).length > 0) return { ok: false, ...shownAgain(sent, faults) } as const;
  return form;
}

type Span = { readonly startTime: string; readonly endTime: string };

const timesOf = (spans: readonly Span[]): string =>
  spans.map(({ startTime, endTime }) => `${startTime}-${endTime}`).join(', ');

function describeTimes(span: Span, locale: ReaderLocale): string {
  if (locale.hours === 24) return timesOf([span]);
  const [start, end] = [span.startTime, span.endTime].map((time) =>
    formatWallTime(minuteOf(time) * 60_000, locale),
  );
  return `${start} – ${end}`;
}

function typedDays(weekly: Schedule['weekly']): Record<string, string> {
  return Object.fromEntries(
    weekDays.map((day, index) => [
      day,
      timesOf(writeWeekly(weekly.filter(({ weekDay }) => weekDay === index + 1))),
    ]),
  );
}

function typedOf({ name, timeZone, weekly, overrides }: Schedule): Record<string, string> {
  const byDate = Map.groupBy(writeOverrides(overrides), ({ date }) => date);
  const lines = [...byDate].map(([date, spans]) => {
    const isOff = spans[0]?.endTime === '00:00';
    return `${date} ${isOff ? 'off' : timesOf(spans)}`;
  });
  return { name, timeZone, ...typedDays(weekly), overrides: lines.join('\n') };
}

function describeHours({ weekly }: Pick<Schedule, 'weekly'>, locale: ReaderLocale): string {
  const words = writeWeekly(weekly).map(
    (hours) => `${hours.days.map((day) => day.slice(0, 3)).join(', ')} ${describeTimes(hours, locale)}`,
  );
  return words.length === 0 ? 'Never available' : words.join('; ');
}

async function sendForm(
  reply: FastifyReply,
  found: Schedule | undefined,
  form: FormFaults,
): Promise<FastifyReply> {
  return sendPage(reply, 'scheduling/settings/schedule', describeForm(reply.request, found, form));
}

function describeForm(request: FastifyRequest, found: Schedule | undefined, { typed, faults }: FormFaults) {
  const { weekStart } = sessionOf(request).person;
  const first = weekDays.indexOf(weekStart);
  const zone = nameOfToday(typed['timeZone'] ?? 'UTC');
  const zones = zoneChoicesWith(found?.timeZone ?? 'UTC', request.server.runtime.now());
  return {
    title: found === undefined ? 'New schedule' : 'Edit schedule',
    action: `${home}/${found?.id ?? 'new'}`,
    isNew: found === undefined,
    isDefault: found?.isDefault ?? false,
    focus: focusOf(faults, ['name', ...weekDays, 'overrides', 'timeZone']),
    days: [...weekDays.slice(first), ...weekDays.slice(0, first)] as const,
    zones: zones.map(({ name, words }) => [name, words] as const),
    typed: { ...typed, timeZone: zone },
    faults,
  };
}
