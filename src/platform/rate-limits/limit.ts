/** How often something may be done: who counts it and who tells it take it from here. */
export interface RateLimit {
  /** In metrics, and in keys of the database. */
  readonly name: string;
  readonly max: number;
  /** In memory a minute, in the database from the first one that is counted. */
  readonly windowSeconds: number;
  /** For all instances together, or by each for itself. */
  readonly counted: 'database' | 'memory';
  /** The handbook says whose it is, what is counted, and what happens past it but a refusal. */
  readonly of: string;
  readonly what: string;
  readonly past?: string;
  /** Of requests to the API: what its guide calls them. */
  readonly guide?: string;
}

/** The most that something can have at a time, and the word for it, by whose it is. */
export type Quotas = Readonly<Record<string, readonly (readonly [max: number, what: string])[]>>;

export const minute = 60;
export const hour = 60 * minute;
export const day = 24 * hour;

type Told = Pick<RateLimit, 'past' | 'guide'>;

/** Limits of the database, by their names. */
export function databaseLimits<Name extends string>(
  table: Readonly<Record<Name, readonly [max: number, seconds: number, of: string, what: string, Told?]>>,
) {
  return mapEntries(table, (name, [max, windowSeconds, of, what, told]): RateLimit => {
    return { name, counted: 'database', max, windowSeconds, of, what, ...told };
  });
}

/** Limits in memory, for buckets of the same keys. */
export function memoryLimits<Key extends string>(
  table: Readonly<Record<Key, readonly [name: string, max: number, of: string, what: string, Told?]>>,
) {
  return mapEntries(table, (_key, [name, max, of, what, told]): RateLimit => {
    return { name, counted: 'memory', max, windowSeconds: minute, of, what, ...told };
  });
}

/** A table of something else, with the same keys. */
export function mapEntries<Key extends string, Row, Made>(
  table: Readonly<Record<Key, Row>>,
  make: (key: string, row: Row) => Made,
): Readonly<Record<Key, Made>> {
  const made = Object.entries<Row>(table).map(([key, row]) => [key, make(key, row)]);
  return Object.fromEntries(made);
}
