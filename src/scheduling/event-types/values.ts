import type { EventTypeChanges, NewEventType } from './request.ts';

/** The row's values of an input, in whose place only what was sent stands. */
export function valuesOf<Input extends Partial<NewEventType> | Omit<EventTypeChanges, 'hosts'>>(
  input: Input,
) {
  const { bookingWindow, confirmationPolicy, ...values } = input;
  return {
    ...values,
    ...(bookingWindow === undefined
      ? {}
      : { bookingWindowDays: 'value' in bookingWindow ? bookingWindow.value : null }),
    ...(confirmationPolicy === undefined ? {} : { requiresConfirmation: 'type' in confirmationPolicy }),
  };
}

/** The fault of a change that is not for this kind of event type; undefined when there is none. */
export function strayField(changes: EventTypeChanges, isTeams: boolean): Record<string, string> | undefined {
  if (isTeams)
    return changes.scheduleId === undefined
      ? undefined
      : { scheduleId: 'Leave this out: a team has no schedule.' };
  if (changes.hosts !== undefined) return { hosts: 'Leave this out: only a team’s event type has hosts.' };
  if (changes.schedulingType !== undefined)
    return { schedulingType: 'Leave this out: only a team’s event type has a scheduling type.' };
  return undefined;
}
