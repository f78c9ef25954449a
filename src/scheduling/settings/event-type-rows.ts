import { plainName } from '../../accounts/fields.ts';
import type { FormFaults } from '../../web/forms.ts';
import { type EventLocation, hostValueOf, type LocationType, locationTypes } from '../core/locations.ts';
import { hasOptions, type Question, questionTypes, reservedSlugs } from '../core/questions.ts';
import { asksForRows, type Row, type RowKind, rowsIn } from './rows.ts';

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
} as const satisfies Record<LocationType, string>;

const valueFaults: Readonly<Record<string, string>> = {
  address: 'Enter an address of up to 300 characters.',
  link: 'Enter a link that begins with https:// or http://, of up to 500 characters.',
  phone: 'Enter a number such as +49 30 123456.',
};

const isFilledLocation = ({ Type: type = '' }: Row): boolean => type !== '';

export function locationsIn(sent: Readonly<Record<string, unknown>>) {
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

export function rowsOfLocations(locations: readonly EventLocation[]): Row[] {
  return locations.map((location) => ({
    Type: location.type,
    Value: hostValueOf(location) ?? '',
    ...('public' in location && location.public ? { Public: 'on' } : {}),
  }));
}

type Typed = Readonly<Record<string, string>>;

/** A form asks for one place at least. */
export function showLocationRows(typed: Typed) {
  const sent = asksForRows(typed) ? rowsIn(typed, locationRows) : locationsIn(typed).rows;
  const rows: readonly Row[] = sent.length === 0 ? [{}] : sent;
  const types = locationTypes.map((type) => [type, locationWords[type]] as const);
  return rows.map((row, index) => ({
    name: `location${index}`,
    label: rows.length > 1 ? `Location ${index + 1}` : 'Where',
    types: [['', rows.length > 1 ? 'None' : 'You tell people later'], ...types] as const,
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
  select: 'One of a list',
  radio: 'One option',
  multiselect: 'Several of a list',
  checkbox: 'Several options',
  boolean: 'Box to check',
} as const satisfies Record<Question['type'], string>;

const optionsFault =
  'Enter at least one option, each on a line of its own: up to 50 different ones of 100 characters.';

const isFilledQuestion = ({ Label: label = '', Options: options = '' }: Row): boolean =>
  `${label}${options}`.trim() !== '';

export function questionsIn(sent: Readonly<Record<string, unknown>>) {
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

export function rowsOfQuestions(questions: readonly Question[]): Row[] {
  return questions.map(({ type, slug, label, required, hidden, placeholder = '', options = [] }) => ({
    ...{ Type: type, Slug: slug, Label: label, Placeholder: placeholder, Options: options.join('\n') },
    ...(required ? { Required: 'on' } : {}),
    ...(hidden ? {} : { Shown: 'on' }),
  }));
}

export function showQuestionRows(typed: Typed) {
  const rows = asksForRows(typed) ? rowsIn(typed, questionRows) : questionsIn(typed).rows;
  return rows.map((row, index) => ({
    name: `question${index}`,
    number: index + 1,
    types: questionTypes.map((type) => [type, questionWords[type]] as const),
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

/** The schema's fault of an item becomes one of its row's field. */
export function faultsOfRows(faults: FormFaults['faults'], locations: readonly Row[]): FormFaults['faults'] {
  return Object.fromEntries(
    Object.entries(faults).map(([path, fault]) => {
      const [field = '', index, part] = path.split('.');
      if (index === undefined) return [path, fault];
      const type = locations[Number(index)]?.['Type'] ?? '';
      if (field === 'locations') return [`location${index}Value`, valueFaults[type] ?? fault];
      if (field !== 'bookingFields') return [field, fault];
      return part === 'options'
        ? [`question${index}Options`, optionsFault]
        : [`question${index}${part === 'type' ? 'Type' : 'Label'}`, fault];
    }),
  );
}
