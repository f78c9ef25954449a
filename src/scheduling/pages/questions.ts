import type { FormFaults } from '../../web/forms.ts';
import { type NewBooking, newBooking } from '../bookings/request.ts';
import { checkAnswers, hasOptions, type Question, takesSeveral } from '../core/questions.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/questions': FormFaults & {
      readonly questions: readonly QuestionView[];
      readonly focus: string | undefined;
    };
  }
}

export type QuestionView = ReturnType<typeof showQuestion>;
type Typed = FormFaults['typed'];

/** Fields of forms: no slug can be another field's name. */
const nameOf = (slug: string): string => `q.${slug}`;
export const namesOf = (questions: readonly Question[]): readonly string[] =>
  questions.map(({ slug }) => nameOf(slug));

const inputTypes: Partial<Record<Question['type'], 'tel' | 'url'>> = { phone: 'tel', url: 'url' };

export function showQuestions(questions: readonly Question[], typed: Typed): readonly QuestionView[] {
  return questions.filter(({ hidden }) => !hidden).map((question) => showQuestion(question, typed));
}

function showQuestion({ type, slug, label, required, placeholder, options = [] }: Question, typed: Typed) {
  const name = nameOf(slug);
  const chosen = (typed[name] ?? '').split('\n');
  return {
    name,
    label: required ? label : `${label} (optional)`,
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
    hint: type === 'multiemail' ? 'Email addresses, one per line.' : '',
    placeholder: placeholder ?? '',
    maxlength: type === 'textarea' || type === 'multiemail' ? 2000 : 500,
    options: options.map((value) => ({ value, isChosen: chosen.includes(value) })),
    selectOptions: [
      ['', placeholder ?? 'Choose…'],
      ...options.map((value) => [value, value] as const),
    ] as const,
    chosen: typed[name] ?? '',
  };
}

/** As the API takes them: of several, lines of what was typed. */
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
      [...Object.entries(faults), ...tooLong.map((slug) => [slug, 'Shorten this text.'] as const)].map(
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
