import type { SentFields } from '../../v2/form.ts';

/** Rows of a form have fields such as `question0Label`; its buttons add and remove them. */
export interface RowKind {
  readonly name: string;
  readonly parts: readonly string[];
  readonly max: number;
}

export type Row = Readonly<Record<string, string>>;

/** Reads the rows without gaps, after what its buttons ask for. */
export function rowsIn(sent: SentFields, { name, parts, max }: RowKind): Row[] {
  const rows = Array.from({ length: max }, (_, index): Row | undefined => {
    const fields = parts.flatMap((part) => {
      const value = sent[`${name}${index}${part}`];
      return typeof value === 'string' ? [[part, value]] : [];
    });
    return fields.length === 0 || sent['remove'] === `${name}${index}`
      ? undefined
      : Object.fromEntries(fields);
  }).filter((row) => row !== undefined);
  return sent['add'] === name && rows.length < max ? [...rows, {}] : rows;
}

/** Forms show the rows again by these names. */
export function typedRows({ name }: RowKind, rows: readonly Row[]): Record<string, string> {
  return Object.fromEntries(
    rows.flatMap((row, index) =>
      Object.entries(row).map(([part, value]) => [`${name}${index}${part}`, value] as const),
    ),
  );
}

/** Nothing is saved by a button that adds or removes a row, or copies some. */
export const asksForRows = (sent: SentFields): boolean => 'add' in sent || 'remove' in sent || 'copy' in sent;

/** Who adds a row wants to fill it in, and who removes one goes on where it was. */
export function focusInRows(sent: SentFields, { name, parts }: RowKind, count: number): string | undefined {
  if (sent['add'] === name) return `${name}${count - 1}${parts[0]}`;
  const { remove } = sent;
  return typeof remove === 'string' && remove.startsWith(name) ? `add ${name}` : undefined;
}
