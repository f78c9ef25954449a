export const questionTypes = [
  'text',
  'textarea',
  'number',
  'phone',
  'address',
  'url',
  'multiemail',
  'select',
  'radio',
  'multiselect',
  'checkbox',
  'boolean',
] as const;
type QuestionType = (typeof questionTypes)[number];

export interface Question {
  readonly type: QuestionType;
  readonly slug: string;
  readonly label: string;
  readonly required: boolean;
  /** Apps can answer a hidden question; the booking page doesn't show it. */
  readonly hidden: boolean;
  readonly placeholder?: string | undefined;
  readonly options?: readonly string[] | undefined;
}

/** Every event type has these fields, so no question has their slugs. */
export const reservedSlugs = [
  'name',
  'email',
  'displayEmail',
  'title',
  'location',
  'notes',
  'guests',
  'displayGuests',
  'rescheduleReason',
  'attendeePhoneNumber',
] as const;

/** Booking pages say it in the visitor’s language. */
type Sentence = string & { readonly sentence?: never };

type Answers = Readonly<Record<string, unknown>>;

const optionTypes: readonly QuestionType[] = ['select', 'radio', 'multiselect', 'checkbox'];
const severalTypes: readonly QuestionType[] = ['multiselect', 'checkbox', 'multiemail'];

export const hasOptions = (type: QuestionType): boolean => optionTypes.includes(type);
export const takesSeveral = (type: QuestionType): boolean => severalTypes.includes(type);

/**
 * Checks the answers of a booking (contract §8). Event types without questions take any answer;
 * others take no other answers, because nobody would read them.
 */
export function checkAnswers(questions: readonly Question[], sent: Answers) {
  if (questions.length === 0) return { answers: sent, faults: {} };
  const answers: [string, unknown][] = [];
  const faults: [string, string][] = [];
  const known = new Set<string>([...reservedSlugs, ...questions.map(({ slug }) => slug)]);
  for (const slug of Object.keys(sent))
    if (!known.has(slug)) faults.push([slug, 'This event type doesn’t ask this.']);
  for (const slug of reservedSlugs) if (Object.hasOwn(sent, slug)) answers.push([slug, sent[slug]]);
  for (const question of questions) {
    const { slug, required, hidden } = question;
    const value = Object.hasOwn(sent, slug) ? sent[slug] : undefined;
    if (isEmpty(value)) {
      if (required && !hidden) faults.push([slug, missingWords(question)]);
      continue;
    }
    const fault = faultOf(question, value);
    if (fault === undefined) answers.push([slug, question.type === 'number' ? Number(value) : value]);
    else faults.push([slug, fault]);
  }
  return { answers: Object.fromEntries(answers), faults: Object.fromEntries(faults) };
}

/** An unchecked box is no answer, so that terms have to be accepted. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}

function missingWords({ type }: Question): Sentence {
  if (type === 'boolean') return 'Check this box.';
  return hasOptions(type) ? 'Choose an option.' : 'Answer this question.';
}

const looksLikePhone = /^\+?[0-9][0-9 ().-]{4,30}$/;
const looksLikeEmail = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

function faultOf({ type, options = [] }: Question, value: unknown): string | undefined {
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'Must be true or false.';
  if (takesSeveral(type)) {
    if (!isTexts(value)) return 'Must be a list of texts.';
    if (type === 'multiemail')
      return value.every((one) => looksLikeEmail.test(one))
        ? undefined
        : ('Enter email addresses, one per line.' satisfies Sentence);
    return value.every((one) => options.includes(one))
      ? undefined
      : ('Choose from the options.' satisfies Sentence);
  }
  if (type === 'number') return isNumber(value) ? undefined : ('Enter a number.' satisfies Sentence);
  if (typeof value !== 'string') return 'Must be a text.';
  if (hasOptions(type))
    return options.includes(value) ? undefined : ('Choose one of the options.' satisfies Sentence);
  if (type === 'phone')
    return looksLikePhone.test(value) ? undefined : ('Enter a phone number.' satisfies Sentence);
  if (type === 'url')
    return isWebAddress(value) ? undefined : ('Enter a link that begins with https://.' satisfies Sentence);
  return undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isNumber(value: unknown): boolean {
  return Number.isFinite(typeof value === 'string' && value.length <= 30 ? Number(value) : value);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]{1,2000}$/iu.test(text);
}

/** Returns checked answers, with the labels that {@link askedIn} kept, for people to read. */
export function tellAnswers(
  asked: readonly (readonly [slug: string, label: string])[],
  responses: Answers,
  yes = 'Yes',
): readonly { readonly label: string; readonly text: string }[] {
  return asked.map(([slug, label]) => ({ label, text: textOf(responses[slug], yes) }));
}

function textOf(value: unknown, yes: string): string {
  if (value === true) return yes;
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** Returns the labels of answered questions in their order, which are kept with the booking. */
export function askedIn(questions: readonly Question[], answers: Answers) {
  return questions
    .filter(({ slug }) => Object.hasOwn(answers, slug))
    .map(({ slug, label }) => [slug, label] as const);
}
