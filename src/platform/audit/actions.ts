import type { Sentence } from '../words.ts';

/**
 * The second sentence is for an actor who is someone else. `{name}` is the event's label, and
 * `{reason}` at the end its reason, which then is a decision and no admin's words.
 */
export type AuditSentence = Sentence | readonly [concerned: Sentence, actor: Sentence];

// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface AuditActions {}

export type AuditAction = keyof AuditActions;
