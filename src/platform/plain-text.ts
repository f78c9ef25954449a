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

const dots = '.\u00B7\u2024\u2027\u3002\uFE52\uFF0E\uFF61';
const namesDots = new RegExp(`([${dots}])(?=\\p{L})|(?<=\\p{L})([${dots}])(?=\\p{N})`, 'gu');

/**
 * A text in which no mail program finds a link: no scheme, no dot or @ in front of a letter. For
 * names and titles in emails to people who don't know who wrote them.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll(/:[\\/]+|\\{2,}|\/{2,}/g, ' ')
    .replaceAll(/(\S?)[@\uFE6B\uFF20](?=\S)/gu, (_, before) => `${before}${before === '' ? '' : ' '}@ `)
    .replaceAll(/\b(mailto|tel|sms|xmpp|callto|skype|javascript|data):/gi, '$1 ')
    .replaceAll(namesDots, '$& ');
}
