import type { Runtime } from '../runtime.ts';

/** Code, headers, handbook and guide take each limit from one place. */
export interface RateLimit {
  /** Metrics and keys of the database have this name. */
  readonly name: string;
  readonly max: number;
  /** A window in memory is a minute; one in the database begins with the first that is counted. */
  readonly windowSeconds: number;
  /** The database counts for all instances together, memory for one. */
  readonly counted: 'database' | 'memory';
  /**
   * The handbook says whose limit it is, what is counted, and what happens past it but a refusal.
   */
  readonly of: string;
  readonly what: string;
  readonly past?: string;
  /** The API's guide calls its requests so. */
  readonly guide?: string;
}

/** Returns how many are allowed; tests hand in less (see {@link Runtime}). */
export function maxOf({ name, max }: Pick<RateLimit, 'max'> & Partial<RateLimit>, { limits }: Runtime) {
  return (name === undefined ? undefined : limits?.[name]) ?? max;
}

/** The key says whose quota it is. */
export type Quotas = Readonly<Record<string, readonly (readonly [max: number, what: string])[]>>;

export const minute = 60;
export const hour = 60 * minute;
export const day = 24 * hour;

type GuideWords = Pick<RateLimit, 'past' | 'guide'>;

export function databaseLimits<Name extends string>(
  table: Readonly<
    Record<Name, readonly [max: number, seconds: number, of: string, what: string, GuideWords?]>
  >,
) {
  return mapEntries(table, (name, [max, windowSeconds, of, what, told]): RateLimit => {
    return { name, counted: 'database', max, windowSeconds, of, what, ...told };
  });
}

export function memoryLimits<Key extends string>(
  table: Readonly<Record<Key, readonly [name: string, max: number, of: string, what: string, GuideWords?]>>,
) {
  return mapEntries(table, (_key, [name, max, of, what, told]): RateLimit => {
    return { name, counted: 'memory', max, windowSeconds: minute, of, what, ...told };
  });
}

export function mapEntries<Key extends string, Row, Made>(
  table: Readonly<Record<Key, Row>>,
  make: (key: string, row: Row) => Made,
): Readonly<Record<Key, Made>> {
  const made = Object.entries<Row>(table).map(([key, row]) => [key, make(key, row)]);
  return Object.fromEntries(made);
}
