/** What a presented code, token or secret looks like that is not what it should be. */
export type TokenShape =
  | 'code'
  | 'refresh_token'
  | 'client_secret'
  | 'access_token'
  | 'blanks'
  | 'quotes'
  | 'percent_encoded'
  | 'cut_off'
  | 'too_long'
  /** Right in form, but not made by us: altered, or from another environment. */
  | 'altered'
  | 'foreign';

const prefixes = {
  lkc_: 'code',
  lkr_: 'refresh_token',
  lks_: 'client_secret',
} as const satisfies Record<string, TokenShape>;

/** Characters of a code or refresh token, prefix included. */
const tokenLength = 74;

/** What the text looks like, which should have been a code or refresh token; nothing is verified. */
export function shapeOfToken(text: string, expected: 'code' | 'refresh_token'): TokenShape {
  const spoilt = spoiltBy(text);
  if (spoilt !== undefined) return spoilt;
  const kind = kindOf(text);
  if (kind !== expected) return kind ?? 'foreign';
  if (text.length === tokenLength) return 'altered';
  return text.length < tokenLength ? 'cut_off' : 'too_long';
}

/** What kind of thing of ours the text was meant to be; undefined for anything else. */
export function kindOf(
  text: string,
): 'code' | 'refresh_token' | 'client_secret' | 'access_token' | undefined {
  for (const [prefix, kind] of Object.entries(prefixes)) if (text.startsWith(prefix)) return kind;
  return /^eyJ[^.]*\.[^.]*\.[^.]*$/.test(text) ? 'access_token' : undefined;
}

/** What was done to a value on its way that has to be undone. */
export function spoiltBy(text: string): 'blanks' | 'quotes' | 'percent_encoded' | undefined {
  if (/\s/.test(text)) return 'blanks';
  if (/^["'].*["']$/.test(text)) return 'quotes';
  return /%[0-9A-Fa-f]{2}/.test(text) ? 'percent_encoded' : undefined;
}

/** A value with what {@link spoiltBy} names undone. */
export function mended(text: string): string {
  const bare = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  try {
    return decodeURIComponent(bare).trim();
  } catch {
    return bare;
  }
}
