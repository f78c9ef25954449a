import type { Sentence, Words } from '../../platform/words.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { FormFaults } from '../../web/forms.ts';
import { type NewBooking, newBooking } from '../bookings/request.ts';
import { type EventLocation, hostValueOf, type LocationType } from '../core/locations.ts';
import { checkAnswers, hasOptions, type Question, takesSeveral } from '../core/questions.ts';
import { type BookingLocation, bookingLocation } from '../event-types/booking-form.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/places': FormFaults & { readonly places: PlacesView };
    'scheduling/questions': FormFaults & { readonly questions: readonly QuestionView[] };
  }
}

type PlacesView = ReturnType<typeof showPlaces>;

const kinds = {
  address: 'In person',
  link: 'Online',
  phone: 'Phone call',
  attendeeAddress: 'At your address',
  attendeePhone: 'Phone call to your number',
  attendeeDefined: 'At a place you choose',
} as const satisfies Record<LocationType, Sentence>;

const asked = {
  attendeeAddress: ['Your address', 'Enter your address.'],
  attendeePhone: ['Your phone number', 'Enter a phone number such as +49 30 123456.'],
  attendeeDefined: ['Place', 'Enter a place.'],
} as const satisfies Partial<Record<LocationType, readonly [label: Sentence, fault: Sentence]>>;
type AskedType = keyof typeof asked;

export function placeWords(location: EventLocation, { t }: Words): string {
  const place = 'public' in location && location.public ? hostValueOf(location) : undefined;
  const kind = t(kinds[location.type]);
  return place === undefined ? kind : t('{name}: {value}', { name: kind, value: place });
}

const isAsked = (type: LocationType): type is AskedType => type in asked;

export function showPlaces(locations: readonly EventLocation[], chosen: string | undefined, words: Words) {
  const { t } = words;
  const types = locations.map(({ type }) => type).filter(isAsked);
  const [only] = types;
  return {
    choices: locations.map((location, index) => ({
      value: String(index),
      words: placeWords(location, words),
      isChosen: String(index) === (chosen ?? '0'),
      asks: isAsked(location.type),
    })),
    says:
      only === undefined
        ? undefined
        : {
            label: t(types.length === 1 ? asked[only][0] : 'Your address, phone number or place'),
            isNeeded: locations.length === 1,
          },
  };
}

const chooseWhere: Sentence = 'Choose where.';

export function readPlace(
  locations: readonly EventLocation[],
  { location: chosen = '0', place = '' }: FormFaults['typed'],
): Result<BookingLocation | undefined, 'location' | 'place'> {
  if (locations.length === 0) return ok(undefined);
  const location = /^[0-9]$/.test(chosen) ? locations[Number(chosen)] : undefined;
  if (location === undefined) return refuse('location', chooseWhere);
  const { type } = location;
  const said = isAsked(type) ? place.trim() : hostValueOf(location);
  const names = { attendeeAddress: 'address', attendeePhone: 'phone', attendeeDefined: 'location' } as const;
  const read = bookingLocation.safeParse({ type, [isAsked(type) ? names[type] : type]: said });
  return read.success ? ok(read.data) : refuse('place', isAsked(type) ? asked[type][1] : undefined);
}

type QuestionView = ReturnType<typeof showQuestion>;
type Typed = FormFaults['typed'];

/** The prefix keeps slugs apart from the names of other fields. */
const nameOf = (slug: string): string => `q.${slug}`;

const inputTypes: Partial<Record<Question['type'], 'tel' | 'url'>> = { phone: 'tel', url: 'url' };

export function showQuestions(questions: readonly Question[], typed: Typed, words: Words) {
  return questions.filter(({ hidden }) => !hidden).map((question) => showQuestion(question, typed, words));
}

function showQuestion(
  { type, slug, label, required, placeholder, options = [] }: Question,
  typed: Typed,
  { t }: Pick<Words, 't'>,
) {
  const name = nameOf(slug);
  const chosen = (typed[name] ?? '').split('\n');
  return {
    name,
    label: required ? label : t('{label} (optional)', { label }),
    isNeeded: required,
    kind:
      type === 'boolean'
        ? ('box' as const)
        : !hasOptions(type)
          ? ('text' as const)
          : takesSeveral(type)
            ? ('boxes' as const)
            : type === 'select'
              ? ('select' as const)
              : ('radios' as const),
    inputType: inputTypes[type] ?? ('text' as const),
    rows: type === 'textarea' || type === 'multiemail' ? 3 : undefined,
    hint: type === 'multiemail' ? t('Email addresses, one per line.') : '',
    placeholder: placeholder ?? '',
    maxlength: type === 'textarea' || type === 'multiemail' ? 2000 : 500,
    options: options.map((value) => ({ value, isChosen: chosen.includes(value) })),
    selectOptions: [
      ['', placeholder ?? t('Choose…')],
      ...options.map((value) => [value, value] as const),
    ] as const,
    chosen: typed[name] ?? '',
  };
}

const tooLongWords: Sentence = 'Shorten this text.';

export function readAnswers(
  questions: readonly Question[],
  typed: Typed,
): { readonly answers: NewBooking['bookingFieldsResponses']; readonly faults: Typed } {
  const shown = questions.filter(({ hidden }) => !hidden);
  const sent = Object.fromEntries(
    shown.flatMap(({ type, slug }) => {
      const text = typed[nameOf(slug)];
      return text === undefined ? [] : [[slug, answerOf(type, text)] as const];
    }),
  );
  const { answers, faults } = checkAnswers(shown, sent);
  const read = newBooking.shape.bookingFieldsResponses.safeParse(answers);
  const tooLong = read.success ? [] : read.error.issues.map(({ path }) => String(path[0] ?? ''));
  return {
    answers: read.success ? read.data : {},
    faults: Object.fromEntries(
      [...Object.entries(faults), ...tooLong.map((slug) => [slug, tooLongWords] as const)].map(
        ([slug, fault]) => [nameOf(slug), fault],
      ),
    ),
  };
}

function answerOf(type: Question['type'], text: string): unknown {
  if (type === 'boolean') return text !== '';
  return takesSeveral(type)
    ? text
        .split(/[\r\n]+/, 51)
        .map((one) => one.trim())
        .filter(Boolean)
    : text.trim();
}
