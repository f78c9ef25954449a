import { plainName } from '../../accounts/fields.ts';
import type { Said, Sentence, Words } from '../../platform/words.ts';
import { numberIn, type SentFields } from '../../v2/form.ts';
import type { FormFaults } from '../../web/forms.ts';
import { type BookingWindow, maxRollingDays, windowOf } from '../core/booking-window.ts';
import { type EventLocation, hostValueOf, type LocationType, locationTypes } from '../core/locations.ts';
import { hasOptions, type Question, questionTypes, reservedSlugs } from '../core/questions.ts';
import type { ShownEventType } from '../event-types/store.ts';
import { asksForRows, type Row, type RowKind, rowsIn, typedRows } from './rows.ts';

const minutesOf = [
  ['minutes', 1],
  ['hours', 60],
  ['days', 1440],
] as const satisfies readonly (readonly [unit: Sentence, minutes: number])[];
export const units: readonly Sentence[] = minutesOf.map(([unit]) => unit);

const amounts = [
  'lengthInMinutes',
  'beforeEventBuffer',
  'afterEventBuffer',
  'minimumBookingNotice',
  'slotInterval',
] as const;

/** The largest unit is chosen that tells the whole time. */
function typedAmount(name: string, minutes: number | null): Record<string, string> {
  if (minutes === null) return {};
  const [unit, size] = minutesOf.findLast(([, one]) => minutes >= one && minutes % one === 0) ?? minutesOf[0];
  return { [name]: String(minutes / size), [`${name}Unit`]: unit };
}

/** The schema refuses text that is no number, and parts of minutes. */
function amountIn(sent: SentFields, name: string): unknown {
  const text = String(sent[name] ?? '').trim();
  const [, size] = minutesOf.find(([unit]) => unit === sent[`${name}Unit`]) ?? minutesOf[0];
  return /^\d{1,9}(?:[.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) * size : text;
}

/** Reads minutes, or what the schema refuses. */
function lengthsIn(sent: SentFields): unknown[] {
  const parts = String(sent['lengthInMinutesOptions'] ?? '')
    .slice(0, 200)
    .split(/[\s,;]+/);
  const typed = parts.filter(Boolean).map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : part));
  const first = amountIn(sent, 'lengthInMinutes');
  return typed.length === 0 || typeof first !== 'number' ? [] : [...new Set([first, ...typed])];
}

/** What their number of days counts; the values are Cal.com's. */
const windowKinds = [
  ['days', { type: 'calendarDays', rolling: false }],
  ['business days', { type: 'businessDays', rolling: false }],
  ['days with free times', { type: 'calendarDays', rolling: true }],
  ['business days with free times', { type: 'businessDays', rolling: true }],
] as const satisfies readonly (readonly [unit: Sentence, Partial<BookingWindow>])[];

export const windowUnits: readonly Sentence[] = windowKinds.map(([unit]) => unit);

/** The schema refuses text, and days beside dates. */
function windowIn(sent: SentFields): unknown {
  const [days = '', unit, ...dates] = ['', 'Unit', 'First', 'Last'].map((part) =>
    String(sent[`bookingWindow${part}`] ?? '').trim(),
  );
  if (dates.some((date) => date !== '')) return days === '' ? { type: 'range', value: dates } : days;
  const [, kind] = windowKinds.find(([name]) => name === unit) ?? windowKinds[0];
  return days === '' ? { disabled: true } : { ...kind, value: numberIn(days) };
}

function typedWindow(window: BookingWindow | undefined): Record<string, string> {
  if (window === undefined) return {};
  const { type, value } = window;
  if (type === 'range') return { bookingWindowFirst: value[0], bookingWindowLast: value[1] };
  const [unit = ''] =
    windowKinds.find(([, one]) => one.type === type && one.rolling === window.rolling) ?? [];
  return { bookingWindow: String(value), bookingWindowUnit: unit };
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

export type TabName = keyof typeof bodies;

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
  }),
  limits: (sent: SentFields, isTeams: boolean) => ({
    beforeEventBuffer: amountIn(sent, 'beforeEventBuffer'),
    afterEventBuffer: amountIn(sent, 'afterEventBuffer'),
    minimumBookingNotice: amountIn(sent, 'minimumBookingNotice'),
    slotInterval: sent['slotInterval'] === '' ? null : amountIn(sent, 'slotInterval'),
    bookingLimitsCount: { day: numberIn(sent['bookingLimitsCount']) },
    bookingWindow: windowIn(sent),
    confirmationPolicy: 'confirmationPolicy' in sent ? { type: 'always' } : { disabled: true },
    ...(isTeams ? {} : { scheduleId: numberIn(sent['scheduleId']) ?? null }),
  }),
  hosts: hostsIn,
} as const satisfies Record<string, (sent: SentFields, isTeams: boolean) => object>;

/** The fields of the API are minutes, and those of the page have units. */
const pageWords: Readonly<Record<string, Said>> = {
  slug: 'Use lowercase letters, digits and single dashes, up to 80 characters.' satisfies Sentence,
  lengthInMinutes: 'Enter 1 minute to 24 hours.' satisfies Sentence,
  lengthInMinutesOptions:
    'Enter up to 9 lengths of 1 minute to 24 hours, in minutes: 15, 45 or 60.' satisfies Sentence,
  beforeEventBuffer: 'Enter up to 24 hours.' satisfies Sentence,
  afterEventBuffer: 'Enter up to 24 hours.' satisfies Sentence,
  minimumBookingNotice: 'Enter up to 365 days.' satisfies Sentence,
  slotInterval: 'Enter 1 minute to 7 days, or nothing.' satisfies Sentence,
  bookingLimitsCount: 'Enter 1 to 10,000 bookings, or nothing.' satisfies Sentence,
  bookingWindow: {
    text: 'Enter 1 to 3650 days (up to {max} with free times), or a first and a last day, or nothing.',
    values: { max: maxRollingDays },
  },
  bookingFields: 'Use up to 10,000 characters in all questions together.' satisfies Sentence,
  scheduleId: 'Choose one of your schedules.' satisfies Sentence,
  schedulingType: 'Choose how hosts take part.' satisfies Sentence,
  hosts: 'Choose at least one member of the team, and up to 100.' satisfies Sentence,
};

/** A fault of an item in a list becomes one of its row's field. */
export function inPageWords(faults: FormFaults['faults'], sent: SentFields): FormFaults['faults'] {
  const locations = locationsIn(sent).rows;
  const said = Object.entries(faults).map(([path, fault]): readonly [string, Said] => {
    const [field = '', index, part] = path.split('.');
    if (index !== undefined && field === 'locations')
      return [`location${index}Value`, valueFaults[locations[Number(index)]?.['Type'] ?? ''] ?? fault];
    if (index === undefined || field !== 'bookingFields') return [field, pageWords[field] ?? fault];
    return part === 'options'
      ? [`question${index}Options`, optionsFault]
      : [`question${index}${part === 'type' ? 'Type' : 'Label'}`, fault];
  });
  return Object.fromEntries(said);
}

/** Returns what the forms of all tabs would show, and each shows its own. */
export function typedOf({ eventType }: ShownEventType): Record<string, string> {
  const { title, slug, description, scheduleId, schedulingType, bookingsADay } = eventType;
  const others = eventType.lengthInMinutesOptions?.filter((one) => one !== eventType.lengthInMinutes) ?? [];
  const switches = {
    isListed: !eventType.hidden,
    allowsGuests: !eventType.disableGuests,
    confirmationPolicy: eventType.requiresConfirmation,
  };
  return {
    ...{ title, slug, description },
    ...Object.assign({}, ...amounts.map((name) => typedAmount(name, eventType[name]))),
    lengthInMinutesOptions: others.join(', '),
    scheduleId: String(scheduleId ?? ''),
    bookingLimitsCount: String(bookingsADay ?? ''),
    schedulingType: schedulingType ?? '',
    ...typedWindow(windowOf(eventType)),
    ...Object.fromEntries(Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [[name, 'on']] : []))),
    ...typedRows(locationRows, rowsOfLocations(eventType.locations)),
    ...typedRows(questionRows, rowsOfQuestions(eventType.bookingFields)),
  };
}

export const locationRows: RowKind = { name: 'location', parts: ['Type', 'Value', 'Public'], max: 10 };
export const questionRows: RowKind = {
  name: 'question',
  parts: ['Label', 'Type', 'Options', 'Slug', 'Placeholder', 'Required', 'Shown'],
  max: 20,
};

const locationWords = {
  address: 'In person, at this address',
  link: 'Online, at this link',
  phone: 'By phone, people call this number',
  attendeeAddress: 'At the attendee’s address',
  attendeePhone: 'By phone, you call the attendee',
  attendeeDefined: 'At a place the attendee names',
} as const satisfies Record<LocationType, Sentence>;

const valueFaults: Readonly<Record<string, Sentence>> = {
  address: 'Enter an address of up to 300 characters.',
  link: 'Enter a link that begins with https:// or http://, of up to 500 characters.',
  phone: 'Enter a number such as +49 30 123456.',
};

const isFilledLocation = ({ Type: type = '' }: Row): boolean => type !== '';

function locationsIn(sent: Readonly<Record<string, unknown>>) {
  const rows = rowsIn(sent, locationRows).filter(isFilledLocation);
  const items = rows.map(({ Type: type = '', Value: value = '', ...row }) =>
    type in valueFaults
      ? { type, [type]: withScheme(type, value.trim()), public: 'Public' in row }
      : { type },
  );
  return { rows, items };
}

/** People copy links from browsers that hide how they begin. */
function withScheme(type: string, value: string): string {
  return type === 'link' && /^[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/.test(value) ? `https://${value}` : value;
}

function rowsOfLocations(locations: readonly EventLocation[]): Row[] {
  return locations.map((location) => ({
    Type: location.type,
    Value: hostValueOf(location) ?? '',
    ...('public' in location && location.public ? { Public: 'on' } : {}),
  }));
}

type Typed = Readonly<Record<string, string>>;

/** A form asks for one place at least. */
export function showLocationRows(typed: Typed, { t, say }: Words) {
  const sent = asksForRows(typed) ? rowsIn(typed, locationRows) : locationsIn(typed).rows;
  const rows: readonly Row[] = sent.length === 0 ? [{}] : sent;
  const types = locationTypes.map((type) => [type, say(locationWords[type])] as const);
  const none = rows.length > 1 ? t('None') : t('You tell people later');
  return rows.map((row, index) => ({
    name: `location${index}`,
    label: rows.length > 1 ? t('Location {number}', { number: index + 1 }) : t('Where'),
    types: [['', none], ...types] as const,
    chosen: row['Type'] ?? '',
    typed: { [`location${index}Value`]: row['Value'] ?? '' },
    isPublic: 'Public' in row,
    mayGo: rows.length > 1,
  }));
}

const questionWords = {
  text: 'Short text',
  textarea: 'Long text',
  number: 'Number',
  phone: 'Phone number',
  address: 'Address',
  url: 'Link',
  multiemail: 'Email addresses',
  select: 'Dropdown',
  radio: 'One choice',
  multiselect: 'Several choices of a list',
  checkbox: 'Several choices',
  boolean: 'Checkbox',
} as const satisfies Record<Question['type'], Sentence>;

const optionsFault: Sentence =
  'Enter at least one option, each on a line of its own: up to 50 different ones of 100 characters.';

const isFilledQuestion = ({ Label: label = '', Options: options = '' }: Row): boolean =>
  `${label}${options}`.trim() !== '';

function questionsIn(sent: Readonly<Record<string, unknown>>) {
  const rows = rowsIn(sent, questionRows).filter(isFilledQuestion);
  const slugs = new Set(rows.map(({ Slug: slug }) => slug));
  const items = rows.map(
    ({ Type: type, Label: label = '', Slug: slug, Placeholder: placeholder, ...row }) => ({
      ...{ type, label, slug: slug || newSlug(label, slugs) },
      ...{ required: 'Required' in row, hidden: !('Shown' in row) },
      ...(questionTypes.some((one) => one === type && hasOptions(one))
        ? { options: linesOf(row['Options']) }
        : {}),
      ...(placeholder ? { placeholder } : {}),
    }),
  );
  return { rows, items };
}

/** The schema refuses more than 50. */
const linesOf = (text = ''): string[] =>
  text
    .split(/[\r\n]+/, 51)
    .map((line) => line.trim())
    .filter(Boolean);

function newSlug(label: string, taken: Set<unknown>): string {
  const plain = plainName(label.slice(0, 50)) || 'question';
  const numbered = Array.from({ length: questionRows.max + 2 }, (_, index) => `${plain}-${index + 1}`);
  const slug = [plain, ...numbered].find((one) => !taken.has(one) && !isReserved(one)) ?? plain;
  taken.add(slug);
  return slug;
}

const isReserved = (slug: string): boolean => reservedSlugs.some((one) => one === slug);

function rowsOfQuestions(questions: readonly Question[]): Row[] {
  return questions.map(({ type, slug, label, required, hidden, placeholder = '', options = [] }) => ({
    ...{ Type: type, Slug: slug, Label: label, Placeholder: placeholder, Options: options.join('\n') },
    ...(required ? { Required: 'on' } : {}),
    ...(hidden ? {} : { Shown: 'on' }),
  }));
}

export function showQuestionRows(typed: Typed, { say }: Words) {
  const rows = asksForRows(typed) ? rowsIn(typed, questionRows) : questionsIn(typed).rows;
  return rows.map((row, index) => ({
    name: `question${index}`,
    number: index + 1,
    // People choose several in the same way, whatever the list is called in the API.
    types: questionTypes
      .filter((type) => type !== 'multiselect' || type === row['Type'])
      .map((type) => [type, say(questionWords[type])] as const),
    type: row['Type'] ?? 'text',
    slug: row['Slug'] ?? '',
    placeholder: row['Placeholder'] ?? '',
    typed: {
      [`question${index}Label`]: row['Label'] ?? '',
      [`question${index}Options`]: row['Options'] ?? '',
    },
    isRequired: 'Required' in row,
    isShown: 'Shown' in row || Object.keys(row).length === 0,
  }));
}
