import { Unreadable } from './unreadable.ts';

const mostElementNames = 100;
/** Beginnings and ends of elements: enough for some four thousand events. */
const mostMarks = 60_000;
const mostXmlLength = 8 * 1024 * 1024;

/** Whether an answer has its end: the XML parser takes half of one for the whole. */
export function isWhole(text: string): boolean {
  return /<\/?(?:[\w.-]+:)?multistatus\b[^<>]*>$/.test(text.slice(-1000).trimEnd());
}

/**
 * The XML parser works on the event loop, where everybody waits for it. So what all answers of one reading may cost is bounded before it
 * begins: their length, their marks, the length of a mark, and, because each text takes the longer the more names stand beside it, names.
 */
export function createXmlGuard(): (text: string) => void {
  let [length, marks] = [0, 0];
  return (text) => {
    length += text.length;
    if (length > mostXmlLength) throw new Unreadable('too_large');
    if (/<(?!!)[^>]{4000}/.test(text)) throw new Unreadable('not_a_calendar');
    const names = new Set<string>();
    for (const [mark] of text.matchAll(/<[^\s/>]*/g)) {
      marks += 1;
      names.add(mark);
      if (marks > mostMarks || names.size > mostElementNames) throw new Unreadable('too_large');
    }
  };
}
