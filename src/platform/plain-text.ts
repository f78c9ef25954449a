/**
 * All that some program takes for the end of a line, besides the one kind that we write (Unicode
 * UAX #14, mandatory breaks).
 */
const otherBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/**
 * A text in which every line ends in the same way, so that none begins where nobody looked for one:
 * in a letter, in a calendar entry.
 */
export function withPlainBreaks(text: string): string {
  return text.replaceAll(otherBreaks, '\n');
}

/**
 * Whether a text of several lines is written as it looks: no control characters but line breaks and
 * tabs, no halves of characters.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text);
}
