import type { Sentence } from '../words.ts';

/**
 * One sentence is for all; else the log's, which admins read, comes before that for the person
 * concerned, and the last is for an actor who is someone else. `{name}` is the event's label, and
 * `{reason}` at the end its reason, which then is a decision and no admin's words.
 */
type AuditSentence = Sentence | readonly [log: string, concerned: Sentence, actor?: Sentence];

/** Stand in the store that records the events, whose names are the keys. */
export type AuditSentences = Readonly<Record<string, AuditSentence>>;

/** Parts add what they hand in by declaration merging, so nothing else can be recorded. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface AuditActions {}

export type AuditAction = keyof AuditActions;
