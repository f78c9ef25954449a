/** A form's payload with one field spoilt. */
export interface SpoiltForm {
  readonly field: string;
  readonly way: string;
  readonly payload: string;
}

const encode = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

const ways = {
  'left out': () => '',
  empty: (name: string) => `${name}=`,
  'blanks alone': (name: string) => `${name}=+++`,
  'far too long': (name: string) => `${name}=${'x'.repeat(30_000)}`,
  NUL: (name: string) => `${name}=%00`,
  'its value and NUL': (name: string, value: string) => encode({ [name]: `${value}\0` }),
  'its value twice': (name: string, value: string) =>
    `${encode({ [name]: value })}&${encode({ [name]: value })}`,
  'a list by its name': (name: string, value: string) => encode({ [`${name}[]`]: value }),
  'an object by its name': (name: string, value: string) => encode({ [`${name}[a]`]: value }),
} as const;

export type Way = keyof typeof ways;

/** Every given field of a right form spoilt in every way, but for those that are harmless to it. */
export function spoilForm(
  right: Readonly<Record<string, string>>,
  harmless: Readonly<Record<string, readonly Way[]>> = {},
): readonly SpoiltForm[] {
  return Object.entries(right).flatMap(([field, value]) => {
    const { [field]: _spoilt, ...others } = right;
    return Object.entries(ways)
      .filter(([way]) => !(harmless[field] ?? []).some((known) => known === way))
      .map(([way, spoil]) => ({ field, way, payload: `${encode(others)}&${spoil(field, value)}` }));
  });
}

/** Payloads that are no form, or an odd one, with their content types. */
export const oddPayloads = [
  ['nothing', 'application/x-www-form-urlencoded', ''],
  ['separators alone', 'application/x-www-form-urlencoded', '&&&===&'],
  [
    'names of built-ins',
    'application/x-www-form-urlencoded',
    '__proto__=x&constructor=y&toString=z&__proto__[a]=b',
  ],
  ['broken escapes', 'application/x-www-form-urlencoded', 'email=%zz&%=%&name=%c3%28'],
  [
    'a thousand fields',
    'application/x-www-form-urlencoded',
    Array.from({ length: 1000 }, (_, index) => `f${index}=x`).join('&'),
  ],
  ['more than 64 KB', 'application/x-www-form-urlencoded', `name=${'x'.repeat(65_536)}`],
  ['JSON', 'application/json', '{"email":{"a":1},"name":[1]}'],
  ['text', 'text/plain', 'email=x'],
  ['multipart', 'multipart/form-data; boundary=x', '--x\r\n\r\n--x--'],
  ['an unknown charset', 'application/x-www-form-urlencoded; charset=utf-16', 'email=x'],
] as const;
