/**
 * A number as people write it, from the plus on; a page's field and the OpenAPI document use the
 * pattern.
 */
export const phonePattern: RegExp = /^\+[0-9\s()./\u2010-\u2013-]{5,40}$/;

/**
 * Reads a phone number into E.164: a plus and up to 15 digits. A zero in brackets is dialled only
 * without the plus. Undefined for what is no number.
 */
export function readPhoneNumber(text: string): string | undefined {
  const digits = text.replace('(0)', '').replaceAll(/[^0-9]/g, '');
  return phonePattern.test(text) && digits.length >= 5 && digits.length <= 15 ? `+${digits}` : undefined;
}
