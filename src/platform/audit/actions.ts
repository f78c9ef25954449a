/**
 * The words for the page of the person concerned; of two, the second is for the one who did it to
 * someone else. `{name}` is the event's label; with `{reason}` at its end, the reason is shown too,
 * which is then what was decided and no admin's words.
 */
export type AuditSentence = string | readonly [concerned: string, actor: string];

/** What is recorded. Features add theirs by declaration merging, beside their sentences. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface AuditActions {}

export type AuditAction = keyof AuditActions;
