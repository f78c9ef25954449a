import { domainToASCII } from 'node:url';

/** Programs end lines at these, besides `\n` (Unicode UAX #14, mandatory breaks). */
const otherBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

export function withPlainBreaks(text: string): string {
  return text.replaceAll(otherBreaks, '\n');
}

/** Explicit formatting (Unicode UAX #9) reorders the text around it, such as a subject's. */
const turning = '\u202A-\u202E\u2066-\u2069';
export const turnsRound: RegExp = new RegExp(`[${turning}]`, 'u');
const allTurns = new RegExp(`[${turning}]`, 'gu');

/** Returns one line, whatever it contains; older names may have characters that turn it around. */
export function asLine(text: string): string {
  return withPlainBreaks(text).replaceAll(/\n+/g, ' ').replaceAll(allTurns, ''); // protects: C222
}

/** Allows line breaks and tabs, but no other control characters, and no lone surrogates. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text);
}

const dots = '.\u00B7\u2024\u2027\u3002\uFE52\uFF0E\uFF61';
const namesDots = new RegExp(`([${dots}])(?=\\p{L})|(?<=\\p{L})([${dots}])(?=\\p{N})`, 'gu');

/**
 * Makes links of names and titles unreadable to mail programs, for readers who don't know the
 * writer.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll(/:[\\/]+|\\{2,}|\/{2,}/g, ' ')
    .replaceAll(/(\S?)[@\uFE6B\uFF20](?=\S)/gu, (_, before) => `${before}${before === '' ? '' : ' '}@ `)
    .replaceAll(/\b(mailto|tel|sms|xmpp|callto|skype|javascript|data):/gi, '$1 ')
    .replaceAll(namesDots, '$& '); // protects: C51
}

/** For other texts, `domainToASCII` takes the beginning, as of a URL. */
const international = /^(?=.*[^\0-\x7F])[\p{L}\p{M}\p{N}.\-\u3002\uFF0E\uFF61]+$/u;

/** Spells the domain as mail servers do (RFC 5891): one address has one spelling. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at < 0 || address.length > 254 || !international.test(domain)) return address;
  const ascii = domainToASCII(domain);
  return ascii === '' ? address : `${address.slice(0, at)}@${ascii}`;
}
