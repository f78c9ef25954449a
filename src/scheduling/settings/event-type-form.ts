import { byField, numberIn, type SentFields } from '../../v2/form.ts';
import type { FormFaults } from '../../web/forms.ts';
import type { ShownEventType } from '../event-types/store.ts';
import {
  faultsOfRows,
  locationRows,
  locationsIn,
  questionRows,
  questionsIn,
  rowsOfLocations,
  rowsOfQuestions,
} from './event-type-rows.ts';
import { typedRows } from './rows.ts';

const minutesOf = { minutes: 1, hours: 60, days: 1440 } as const;
export type Unit = keyof typeof minutesOf;

/** The largest unit is chosen that tells the whole time. */
export const amounts = {
  lengthInMinutes: ['minutes', 'hours'],
  beforeEventBuffer: ['minutes', 'hours'],
  afterEventBuffer: ['minutes', 'hours'],
  minimumBookingNotice: ['minutes', 'hours', 'days'],
  slotInterval: ['minutes', 'hours'],
} as const satisfies Record<string, readonly Unit[]>;

type Amount = keyof typeof amounts;
const amountNames = Object.keys(amounts).filter((name): name is Amount => name in amounts);

function typedAmount(name: Amount, minutes: number | null): Record<string, string> {
  if (minutes === null) return {};
  const units: readonly Unit[] = amounts[name];
  const unit = units.findLast((one) => minutes >= minutesOf[one] && minutes % minutesOf[one] === 0);
  return { [name]: String(minutes / minutesOf[unit ?? 'minutes']), [`${name}Unit`]: unit ?? 'minutes' };
}

/** The schema refuses text that is no number, and parts of minutes. */
function amountIn(sent: SentFields, name: Amount): unknown {
  const text = String(sent[name] ?? '').trim();
  const units: readonly Unit[] = amounts[name];
  const unit = units.find((one) => one === sent[`${name}Unit`]) ?? 'minutes';
  return /^\d{1,9}(?:[.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) * minutesOf[unit] : text;
}

/** Reads `15, 45 min, 1h`, or what the schema refuses. */
function lengthsIn(sent: SentFields): unknown[] {
  const text = String(sent['lengthInMinutesOptions'] ?? '').slice(0, 200);
  const length = /(\d{1,5}(?:\.\d{1,2})?)\s*(h(?:ours?|rs?)?\b|m(?:in(?:ute)?s?)?\b|(?![\d.a-z]))/gi;
  if (text.replaceAll(length, '').replaceAll(/[\s,;]/g, '') !== '') return [text];
  const typed = [...text.matchAll(length)].map(
    ([, count, unit = '']) => Number(count) * (unit.toLowerCase().startsWith('h') ? 60 : 1),
  );
  const first = amountIn(sent, 'lengthInMinutes');
  return typed.length === 0 || typeof first !== 'number' ? [] : [...new Set([first, ...typed])];
}

function hostsIn({ schedulingType, hosts }: SentFields) {
  const chosen = [hosts ?? []].flat().slice(0, 101);
  return { schedulingType, hosts: chosen.map((id) => ({ userId: numberIn(id) })) };
}

const firstIn = (sent: SentFields) => ({
  title: sent['title'],
  slug: sent['slug'],
  lengthInMinutes: amountIn(sent, 'lengthInMinutes'),
  locations: locationsIn(sent).items,
});

export type TabName = 'basics' | 'questions' | 'limits' | 'hosts';

/** Each makes a body for the API of what its form holds, and leaves the rest unchanged. */
export const bodies = {
  new: (sent: SentFields, isTeams: boolean) => ({ ...firstIn(sent), ...(isTeams ? hostsIn(sent) : {}) }),
  basics: (sent: SentFields) => ({
    ...firstIn(sent),
    description: sent['description'],
    lengthInMinutesOptions: lengthsIn(sent),
    hidden: !('isListed' in sent),
  }),
  questions: (sent: SentFields) => ({
    bookingFields: questionsIn(sent).items,
    disableGuests: !('allowsGuests' in sent),
    requiresBookerEmailVerification: 'requiresBookerEmailVerification' in sent,
  }),
  limits: (sent: SentFields, isTeams: boolean) => ({
    beforeEventBuffer: amountIn(sent, 'beforeEventBuffer'),
    afterEventBuffer: amountIn(sent, 'afterEventBuffer'),
    minimumBookingNotice: amountIn(sent, 'minimumBookingNotice'),
    slotInterval: sent['slotInterval'] === '' ? null : amountIn(sent, 'slotInterval'),
    bookingWindow:
      numberIn(sent['bookingWindow']) === undefined
        ? { disabled: true }
        : { type: 'calendarDays', value: numberIn(sent['bookingWindow']) },
    confirmationPolicy: 'confirmationPolicy' in sent ? { type: 'always' } : { disabled: true },
    ...(isTeams ? {} : { scheduleId: numberIn(sent['scheduleId']) ?? null }),
  }),
  hosts: hostsIn,
} as const satisfies Record<TabName | 'new', (sent: SentFields, isTeams: boolean) => object>;

/** The fields of the API are minutes, and those of the page have units. */
const pageWords: Readonly<Record<string, string>> = {
  lengthInMinutes: 'Enter 1 minute to 24 hours.',
  lengthInMinutesOptions: 'Enter up to 9 lengths of 1 minute to 24 hours, such as 15, 45 or 1h.',
  beforeEventBuffer: 'Enter up to 24 hours.',
  afterEventBuffer: 'Enter up to 24 hours.',
  minimumBookingNotice: 'Enter up to 365 days.',
  slotInterval: 'Enter 1 minute to 7 days, or nothing.',
  bookingWindow: 'Enter 1 to 3650 days, or nothing.',
  scheduleId: 'Choose one of your schedules.',
  schedulingType: 'Choose how hosts take part.',
  hosts: 'Choose at least one member of the team, and up to 100.',
};

export function inPageWords(faults: FormFaults['faults'], sent: SentFields): FormFaults['faults'] {
  const fields = Object.entries(byField(faultsOfRows(faults, locationsIn(sent).rows)));
  return Object.fromEntries(fields.map(([field, fault]) => [field, pageWords[field] ?? fault]));
}

/** Returns what the forms of all tabs would show, and each shows its own. */
export function typedOf({ eventType, hosts }: ShownEventType): Record<string, string> {
  const { title, slug, description, scheduleId, schedulingType, bookingWindowDays } = eventType;
  const others = eventType.lengthInMinutesOptions?.filter((one) => one !== eventType.lengthInMinutes) ?? [];
  const switches = {
    isListed: !eventType.hidden,
    allowsGuests: !eventType.disableGuests,
    requiresBookerEmailVerification: eventType.requiresBookerEmailVerification,
    confirmationPolicy: eventType.requiresConfirmation,
  };
  return {
    ...{ title, slug, description },
    ...Object.assign({}, ...amountNames.map((name) => typedAmount(name, eventType[name]))),
    lengthInMinutesOptions: others.join(', '),
    scheduleId: String(scheduleId ?? ''),
    schedulingType: schedulingType ?? '',
    bookingWindow: String(bookingWindowDays ?? ''),
    hosts: hosts.map(({ userId }) => userId).join(' '),
    ...Object.fromEntries(Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [[name, 'on']] : []))),
    ...typedRows(locationRows, rowsOfLocations(eventType.locations)),
    ...typedRows(questionRows, rowsOfQuestions(eventType.bookingFields)),
  };
}
