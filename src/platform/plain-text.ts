/** What programs take for a line's end besides `\n` (Unicode UAX #14, mandatory breaks). */
const otherBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** So that no line begins unnoticed in an email or a calendar entry. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll(otherBreaks, '\n');
}

/** No control characters but line breaks and tabs, no lone surrogates. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text);
}
