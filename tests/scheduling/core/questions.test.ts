import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  askedIn,
  checkAnswers,
  type Question,
  questionTypes,
  reservedSlugs,
  tellAnswers,
} from '../../../src/scheduling/core/questions.ts';

const ask = (changes: Partial<Question>): Question => ({
  ...{ type: 'text', slug: 'q', label: 'Q', required: false, hidden: false },
  ...changes,
});
const faultOf = (question: Partial<Question>, value: unknown) =>
  checkAnswers([ask(question)], { q: value }).faults['q'];
const options = ['red', 'blue'];

describe('answers to the questions of an event type (contract §8)', () => {
  test.each([
    [{ type: 'text' }, 'x', undefined],
    [{ type: 'text' }, 7, 'Must be a text.'],
    [{ type: 'number' }, 7, undefined],
    [{ type: 'number' }, '7.5', undefined],
    [{ type: 'number' }, 'seven', 'Enter a number.'],
    [{ type: 'number' }, ['7'], 'Enter a number.'],
    [{ type: 'number' }, '7'.repeat(30), undefined],
    [{ type: 'number' }, '7'.repeat(31), 'Enter a number.'],
    [{ type: 'phone' }, '+49 30 1234', undefined],
    [{ type: 'phone' }, 'later', 'Enter a phone number.'],
    [{ type: 'url' }, 'https://ann.example', undefined],
    [{ type: 'url' }, 'http://ann.example', undefined],
    [{ type: 'url' }, 'javascript:alert(1)', 'Enter a link that begins with https://.'],
    [{ type: 'url' }, 'javascript:alert(1)//https://ann.example', 'Enter a link that begins with https://.'],
    [{ type: 'url' }, 'https://ann.example and more', 'Enter a link that begins with https://.'],
    [{ type: 'multiemail' }, ['a@example.com'], undefined],
    [{ type: 'multiemail' }, ['a'], 'Enter email addresses, one per line.'],
    [{ type: 'multiemail' }, ['a@example.com', 'b'], 'Enter email addresses, one per line.'],
    [{ type: 'multiemail' }, ['a@example.com', ['b@example.com']], 'Must be a list of texts.'],
    [{ type: 'select', options }, 'red', undefined],
    [{ type: 'select', options }, 'green', 'Choose one of the options.'],
    [{ type: 'radio', options }, ['red'], 'Must be a text.'],
    [{ type: 'checkbox', options }, ['red', 'blue'], undefined],
    [{ type: 'multiselect', options }, ['green'], 'Choose from the options.'],
    [{ type: 'multiselect', options }, ['red', 'green'], 'Choose from the options.'],
    [{ type: 'multiselect', options }, 'red', 'Must be a list of texts.'],
    [{ type: 'boolean' }, true, undefined],
    [{ type: 'boolean' }, 'yes', 'Must be true or false.'],
    [{ required: true }, ' ', 'Answer this question.'],
    [{ required: true, type: 'boolean' }, false, 'Check this box.'],
    [{ required: true, type: 'checkbox', options }, [], 'Choose an option.'],
    [{ required: true, hidden: true }, undefined, undefined],
    [{}, undefined, undefined],
  ] as const)('%j answered with %j', (question, value, fault) => {
    expect(faultOf(question, value)).toBe(fault);
  });

  test('take none that are not asked, but what every booking has', () => {
    const { answers, faults } = checkAnswers([ask({})], { other: 'x', notes: 'hi', q: 'y' });

    expect(faults).toEqual({ other: 'This event type doesn’t ask this.' });
    expect(answers).toStrictEqual({ notes: 'hi', q: 'y' });
  });

  test('take any where nothing is asked', () => {
    const sent = { other: 'x', notes: 'hi' };

    expect(checkAnswers([], sent)).toEqual({ answers: sent, faults: {} });
  });

  test('hold a number as a number, also when it comes as a text', () => {
    const { answers } = checkAnswers([ask({ type: 'number' })], { q: '7.5' });

    expect(answers).toEqual({ q: 7.5 });
  });

  test('are told by the labels they were asked by, in their order, and nothing of what is unanswered', () => {
    const questions = [
      ask({ slug: 'b', label: 'Colors', type: 'checkbox', options }),
      ask({ slug: 'a', label: 'Terms', type: 'boolean' }),
      ask({ slug: 'd', label: 'Company' }),
      ask({ slug: 'c', label: 'Years', type: 'number' }),
      ask({ slug: 'e', label: 'Topic' }),
    ];
    const { answers } = checkAnswers(questions, { a: true, c: '7', b: options, d: ' ', e: 'Cats' });

    expect(tellAnswers(askedIn(questions, answers), answers)).toEqual([
      { label: 'Colors', text: 'red, blue' },
      { label: 'Terms', text: 'Yes' },
      { label: 'Years', text: '7' },
      { label: 'Topic', text: 'Cats' },
    ]);
  });

  const question = fc.record({
    type: fc.constantFrom(...questionTypes),
    slug: fc.constantFrom('a', 'b', '__proto__', 'constructor'),
    label: fc.string(),
    required: fc.boolean(),
    hidden: fc.boolean(),
    options: fc.constant(options),
  });

  test('are kept only if they are asked and right, whatever is sent', () => {
    const slug = fc.constantFrom('a', 'b', 'other', '__proto__', 'constructor', ...reservedSlugs);
    const value = fc.oneof(fc.anything(), fc.constantFrom('red', '7', true, ['red']));
    fc.assert(
      fc.property(
        fc.uniqueArray(question, { selector: (one) => one.slug, minLength: 1 }),
        fc.array(fc.tuple(slug, value)),
        (questions, sent) => {
          const { answers, faults } = checkAnswers(questions, Object.fromEntries(sent));
          const slugs = new Set<string>([...reservedSlugs, ...questions.map((one) => one.slug)]);
          const isRequiredMet = questions.every(
            ({ slug: name, required, hidden }) =>
              !required || hidden || Object.hasOwn(answers, name) || Object.hasOwn(faults, name),
          );
          const isOnce = Object.keys(answers).every(
            (name) => slugs.has(name) && !Object.hasOwn(faults, name),
          );
          return isRequiredMet && isOnce;
        },
      ),
    );
  });
});
