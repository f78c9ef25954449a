import { ok, type Result, refuse } from '../../result.ts';

/** Which event type: by id, or by its slug and whose it is. */
export type EventTypeName =
  | { readonly eventTypeId: number }
  | { readonly eventTypeSlug: string; readonly username: string }
  | { readonly eventTypeSlug: string; readonly teamSlug: string };

/** The names that a query can give an event type. */
export interface NamedEventType {
  readonly eventTypeId?: number | undefined;
  readonly eventTypeSlug?: string | undefined;
  readonly username?: string | undefined;
  readonly teamSlug?: string | undefined;
}

/** Which event type a query means. */
export function readEventTypeName(query: NamedEventType): Result<EventTypeName, 'event_type_not_named'> {
  const { eventTypeId, eventTypeSlug, username, teamSlug } = query;
  if (eventTypeId !== undefined) return ok({ eventTypeId });
  if (eventTypeSlug === undefined) return refuse('event_type_not_named');
  if (username !== undefined) return ok({ eventTypeSlug, username: username.toLowerCase() });
  return teamSlug === undefined ? refuse('event_type_not_named') : ok({ eventTypeSlug, teamSlug });
}
