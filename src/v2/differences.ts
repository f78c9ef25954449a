/** Cal.com's fields of an operation that we don't have; `hosts.priority` is one of each item. */
export interface Differences {
  /** Each changes what is made: why it can't, and values that mean what happens here anyway. */
  readonly refused?: Readonly<Record<string, readonly [words: string, ...asHere: unknown[]]>>;
  /** What is made is the same without them, and why. */
  readonly ignored?: Readonly<Record<string, string>>;
}

/** What is wrong with an input, by field; the words of {@link Differences}. */
export function findRefusedFields(
  { refused = {} }: Differences,
  input: unknown,
): Readonly<Record<string, string>> {
  const faults = Object.entries(refused).flatMap(([path, [words, ...asHere]]) => {
    const values = valuesAt(input, path.split('.'));
    const isAsHere = values.every((value) => isOff(value) || asHere.includes(value));
    return isAsHere ? [] : [[path, `Not supported. ${words}`] as const];
  });
  return Object.fromEntries(faults);
}

/** Of a query, a name may end with `[]`. */
function valuesAt(input: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [input];
  return [input]
    .flat()
    .flatMap((one: unknown) =>
      typeof one === 'object' && one !== null
        ? [name, `${name}[]`]
            .filter((written) => Object.hasOwn(one, written))
            .flatMap((written) => valuesAt(Reflect.get(one, written), rest))
        : [],
    );
}

/** As without the field. */
function isOff(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === false || value === 0 || value === '';
  const entries = Object.entries(value);
  return entries.length === 0 || (entries.length === 1 && 'disabled' in value && value.disabled === true);
}

/** A paragraph of an operation's description. */
export function describeDifferences({ refused = {}, ignored = {} }: Differences): string {
  const namesOf = (fields: object): string =>
    Object.keys(fields)
      .map((field) => `\`${field}\``)
      .join(', ');
  const reasons = Object.entries(ignored).map(([field, reason]) => `\`${field}\` (${reason})`);
  return [
    namesOf(refused) && `Cal.com’s fields that are rejected unless they are off: ${namesOf(refused)}.`,
    reasons.length === 0 ? '' : `Ignored: ${reasons.join(', ')}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
