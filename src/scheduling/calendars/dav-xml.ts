import { Unreadable } from './unreadable.ts';

const mostLength = 8 * 1024 * 1024;
/** Beginnings and ends of elements, and what else begins with `<`: enough for some three thousand events. */
const mostMarks = 40_000;
const mostNames = 100;
const longestTag = 2000;
const mostTagLength = 2 * 1024 * 1024;

/**
 * Looks an answer over before the XML parser gets it, which works on the event loop, where everybody waits for it. What all answers of one
 * reading may cost is bounded: their length, their marks, and, because the parser takes the longer for each the more there are side by
 * side, attributes and names. And an answer must have its end: the parser takes half of one for the whole.
 *
 * @throws Unreadable from what it returns
 */
export function createXmlGuard(): (text: string, isXml: boolean) => void {
  let [length, marks, tagLength] = [0, 0, 0];
  return (text, isXml) => {
    length += text.length;
    if (length > mostLength) throw new Unreadable('too_large');
    if (!isXml || text === '') return;
    const names = new Set<string>();
    let last = '';
    for (const tag of listTags(text)) {
      marks += 1;
      tagLength += tag.length;
      last = /^<\/?([^\s/>]*)/.exec(tag)?.[1] ?? last;
      names.add(last);
      const isHeavy = marks > mostMarks || tagLength > mostTagLength || names.size > mostNames;
      if (isHeavy) throw new Unreadable('too_large');
    }
    if (!/^(?:[^:]+:)?multistatus$/.test(last)) throw new Unreadable('not_a_calendar');
  };
}

/** The tags of a text, in one pass, and an empty one for what else begins with `<`; a document type, which no DAV answer has, is refused. */
function* listTags(text: string): Generator<string> {
  let at = text.indexOf('<');
  while (at >= 0) {
    const end = endOfMark(text, at);
    yield text.startsWith('<!', at) ? '' : text.slice(at, end);
    at = text.indexOf('<', end);
  }
}

function endOfMark(text: string, at: number): number {
  if (text.startsWith('<![CDATA[', at)) return endOf(text, ']]>', at);
  if (text.startsWith('<!--', at)) return endOf(text, '-->', at + 4);
  if (text.startsWith('<!', at)) throw new Unreadable('not_a_calendar');
  return endOfTag(text, at);
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw new Unreadable('not_a_calendar');
  return at + mark.length;
}

/** Behind the first `>` that is not in an attribute's value. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from + 1; at < from + longestTag; at += 1) {
    const char = text.charAt(at);
    if (char === '>' && quote === '') return at + 1;
    if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = '';
  }
  throw new Unreadable('not_a_calendar');
}
