/** A path such as `hosts.priority` names a field of each item. */
export interface Differences {
  /** With the listed values, such a field means what happens here anyway. */
  readonly refused?: Readonly<Record<string, readonly [words: string, ...asHere: unknown[]]>>;
  /** The reason says why nothing changes without the field. */
  readonly ignored?: Readonly<Record<string, string>>;
}

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

function isOff(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === false || value === 0 || value === '';
  const entries = Object.entries(value);
  return entries.length === 0 || (entries.length === 1 && 'disabled' in value && value.disabled === true);
}

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
