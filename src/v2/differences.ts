/** A path such as `hosts.priority` names a field of each item. */
export interface Differences {
  /**
   * With the listed values, such a field means what happens here anyway; so it does when it's off,
   * unless that is what isn't supported: then `true` is listed.
   */
  readonly refused?: Readonly<Record<string, readonly [words: string, ...asHere: unknown[]]>>;
  /** Cal.com's other versions call these fields by names that its current one doesn't have. */
  readonly renamed?: Readonly<Record<string, string>>;
}

export function findRefusedFields({ refused = {}, renamed = {} }: Differences, input: unknown) {
  const isSent = (path: string, isAsHere: (value: unknown) => boolean): boolean =>
    !valuesAt(input, path.split('.')).every((value) => value === null || isAsHere(value));
  const unsupported = Object.entries(refused)
    .filter(([path, [, ...asHere]]) =>
      isSent(path, (value) => asHere.includes(value) || (isOff(value) && !asHere.includes(true))),
    )
    .map(([path, [words]]) => [path, words] as const);
  const formerNames = Object.entries(renamed)
    .filter(([path]) => isSent(path, () => false))
    .map(([path, name]) => [path, `Send \`${name}\`.`] as const);
  return Object.fromEntries(
    [...unsupported, ...formerNames].map(([path, words]) => [path, `Not supported. ${words}`]),
  );
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

export function describeDifferences({ refused = {}, renamed = {} }: Differences): string {
  const names = Object.keys(refused).map((field) => `\`${field}\``);
  const instead = Object.entries(renamed).map(([field, name]) => `\`${field}\` (send \`${name}\`)`);
  const said = [
    names.length === 0 ? '' : `Cal.com’s fields that are rejected unless they are off: ${names.join(', ')}.`,
    instead.length === 0 ? '' : `Names of other versions that are rejected: ${instead.join(', ')}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
  // The reader folds it: who doesn't come from there needs none of it.
  return said && `<details><summary>Coming from Cal.com</summary>\n\n${said}\n\n</details>`;
}
