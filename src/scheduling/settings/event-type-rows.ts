import { plainName } from '../../accounts/fields.ts';
import type { SentFields } from '../../v2/form.ts';
import { type EventLocation, hostValueOf, type LocationType, locationTypes } from '../core/locations.ts';
import { type Question, questionTypes, reservedSlugs } from '../core/questions.ts';

const maxLocations = 10;
const maxQuestions = 20;
const emptyRows = 2;

const locationWords = {
  address: 'In person, at this address',
  link: 'Online, at this link',
  phone: 'By phone, people call this number',
  attendeeAddress: 'At the attendee’s address',
  attendeePhone: 'By phone, you call the attendee',
  attendeeDefined: 'At a place the attendee names',
} as const satisfies Record<LocationType, string>;

type Typed = Readonly<Record<string, string>>;

const rowsTo = (max: number): readonly number[] => Array.from({ length: max }, (_, index) => index);

export function locationsIn(sent: SentFields): unknown[] {
  return rowsTo(maxLocations).flatMap((index) => {
    const [type, value] = [sent[`location${index}Type`], sent[`location${index}Value`]];
    if (type === undefined || type === '') return [];
    const isHosts = type === 'address' || type === 'link' || type === 'phone';
    return [isHosts ? { type, [type]: value, public: `location${index}Public` in sent } : { type }];
  });
}

export function typedLocations(locations: readonly EventLocation[]): Typed {
  return Object.fromEntries(
    locations.flatMap((location, index) => [
      [`location${index}Type`, location.type],
      [`location${index}Value`, hostValueOf(location) ?? ''],
      ...('public' in location && location.public ? [[`location${index}Public`, 'on']] : []),
    ]),
  );
}

export function locationRows(typed: Typed) {
  const last = rowsTo(maxLocations).findLastIndex((index) => Boolean(typed[`location${index}Type`]));
  const rows = rowsTo(Math.min(last + 1 + emptyRows, maxLocations)).map((index) => ({
    name: `location${index}`,
    number: index + 1,
    types: [['', 'None'], ...locationTypes.map((type) => [type, locationWords[type]] as const)] as const,
    chosen: typed[`location${index}Type`] ?? '',
    value: typed[`location${index}Value`] ?? '',
    isPublic: typed[`location${index}Public`] !== undefined,
  }));
  return { rows, isUsed: last >= 0 };
}

const questionWords = {
  text: 'Short text',
  textarea: 'Long text',
  number: 'Number',
  phone: 'Phone number',
  address: 'Address',
  url: 'Link',
  multiemail: 'Email addresses',
  select: 'One of a list',
  radio: 'One option',
  multiselect: 'Several of a list',
  checkbox: 'Several options',
  boolean: 'Box to check',
} as const satisfies Record<Question['type'], string>;

export function questionsIn(sent: SentFields): unknown[] {
  const slugs = new Set(rowsTo(maxQuestions).map((index) => sent[`question${index}Slug`]));
  return rowsTo(maxQuestions).flatMap((index) => {
    const label = sent[`question${index}Label`];
    if (typeof label !== 'string' || label.trim() === '') return [];
    const options = textIn(sent[`question${index}Options`])
      .split(/[\r\n]+/, maxOptions + 1)
      .map((line) => line.trim())
      .filter(Boolean);
    const placeholder = textIn(sent[`question${index}Placeholder`]);
    return [
      {
        type: sent[`question${index}Type`],
        slug: textIn(sent[`question${index}Slug`]) || newSlug(label, slugs),
        label,
        required: `question${index}Required` in sent,
        hidden: `question${index}Hidden` in sent,
        ...(options.length === 0 ? {} : { options }),
        ...(placeholder === '' ? {} : { placeholder }),
      },
    ];
  });
}

const maxOptions = 50;
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

function newSlug(label: string, taken: Set<unknown>): string {
  const plain = plainName(label.slice(0, 50)) || 'question';
  const numbered = rowsTo(maxQuestions + 2).map((index) => `${plain}-${index + 1}`);
  const slug = [`${plain}`, ...numbered].find((one) => !taken.has(one) && !isReserved(one)) ?? plain;
  taken.add(slug);
  return slug;
}

const isReserved = (slug: string): boolean => reservedSlugs.some((one) => one === slug);

export function typedQuestions(questions: readonly Question[]): Typed {
  return Object.fromEntries(
    questions.flatMap(({ type, slug, label, required, hidden, placeholder = '', options = [] }, index) => [
      [`question${index}Type`, type],
      [`question${index}Slug`, slug],
      [`question${index}Label`, label],
      [`question${index}Placeholder`, placeholder],
      [`question${index}Options`, options.join('\n')],
      ...(required ? [[`question${index}Required`, 'on']] : []),
      ...(hidden ? [[`question${index}Hidden`, 'on']] : []),
    ]),
  );
}

export function questionRows(typed: Typed) {
  const last = rowsTo(maxQuestions).findLastIndex((index) => Boolean(typed[`question${index}Label`]));
  const rows = rowsTo(Math.min(last + 1 + emptyRows, maxQuestions)).map((index) => ({
    name: `question${index}`,
    number: index + 1,
    types: questionTypes.map((type) => [type, questionWords[type]] as const),
    type: typed[`question${index}Type`] ?? 'text',
    slug: typed[`question${index}Slug`] ?? '',
    placeholder: typed[`question${index}Placeholder`] ?? '',
    isRequired: typed[`question${index}Required`] !== undefined,
    isHidden: typed[`question${index}Hidden`] !== undefined,
  }));
  return { rows, isUsed: last >= 0 };
}
