/** The values of labels come from short lists in the code, never from requests. */
export type CounterWords = readonly [help: string, ...labels: string[]];

/** Names counters of rare events. Parts add theirs by declaration merging, beside their words. */
export interface Counters {
  readonly rate_limit_refused: CounterWords;
  readonly audit_events: CounterWords;
  readonly emails: CounterWords;
  readonly cleanup_deleted_rows: CounterWords;
  readonly cleanup_failures: CounterWords;
  readonly log_lines_lost: CounterWords;
}

const counts = new Map<string, Map<string, number>>();

/** `values` are the labels' values in their order, separated by blanks. */
export function count(what: keyof Counters, values = '', amount = 1): void {
  const ofValues = counts.get(what);
  if (ofValues === undefined) counts.set(what, new Map([[values, amount]]));
  else ofValues.set(values, (ofValues.get(values) ?? 0) + amount);
}

export function countsOf(what: string): ReadonlyMap<string, number> {
  return counts.get(what) ?? new Map();
}
