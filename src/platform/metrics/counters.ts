/** Explains the counters of `/metrics` (docs/operations.md). Labels have few values, never from requests. */
export const counted = {
  tokens_issued: ['Answers of the token endpoint with tokens.', 'grant_type', 'client_type'],
  tokens_refused: ['Answers of the token endpoint with an error.', 'reason', 'client_type'],
  refresh_tokens_ahead: ['Refreshes from a token one generation ahead: the database lost a commit.'],
  bearer_refused: ['Requests to the API without the access that they take.', 'reason'],
  rate_limit_refused: ['Requests over a rate limit, and emails over their budget.', 'limit'],
  emails: ['Attempts to send an email.', 'outcome'],
  webhook_deliveries: ['Attempts to deliver an event to a webhook.', 'outcome'],
  calendar_reads: ['Calendars read elsewhere, not from memory.', 'result'],
  calendar_writes: ['Attempts to write a booking to a calendar.', 'outcome'],
  cleanup_deleted_rows: ['Expired rows that were deleted.', 'table'],
  cleanup_failures: ['Cleanups of a table that failed.', 'table'],
  failed_requests_dropped: ['Failed token requests that were too many to be stored.'],
} as const satisfies Record<string, readonly [help: string, ...labels: string[]]>;

export type Counted = keyof typeof counted;

const counts = new Map<Counted, Map<string, number>>();

/** `values` are the labels' values in their order, separated by blanks. */
export function count(what: Counted, values = '', amount = 1): void {
  const ofValues = counts.get(what);
  if (ofValues === undefined) counts.set(what, new Map([[values, amount]]));
  else ofValues.set(values, (ofValues.get(values) ?? 0) + amount);
}

export function countsOf(what: Counted): ReadonlyMap<string, number> {
  return counts.get(what) ?? new Map();
}
