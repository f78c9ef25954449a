import type { Agent, ToolAnswer } from './connection.ts';

export interface Wish {
  readonly attendee: { readonly name: string; readonly email: string };
  /** The agent looks for a time from this day on: `2030-01-07`. */
  readonly from: string;
  readonly until: string;
}

/** A model would choose these calls by what the tools say about themselves. */
export async function arrangeTalk(agent: Agent, wish: Wish, say: (text: string) => void): Promise<void> {
  const me = record(await agent.call('getMe'));
  const [eventType] = list(await agent.call('listEventTypes'));
  if (eventType === undefined) return say('There is no event type to book.');
  say(`${me['name']} can be booked for: ${eventType['title']}`);
  const { id: eventTypeId } = eventType;
  const timeZone = String(me['timeZone']);
  const range = { eventTypeId, start: wish.from, end: wish.until, timeZone };
  const byDay = Object.values(record(await agent.call('listSlots', range))) as { start: string }[][];
  const [first, second] = byDay.flat();
  if (first === undefined || second === undefined) return say('There is no free time.');

  const attendee = { ...wish.attendee, timeZone };
  // With this key, a call whose answer is lost and that is sent again books once.
  const idempotencyKey = crypto.randomUUID();
  const booking = { eventTypeId, start: first.start, attendee, idempotencyKey };
  const { uid } = record(await agent.call('createBooking', booking));
  say(`Booked: ${first.start}`);
  const change = { uid, start: second.start, reschedulingReason: 'A little later suits better.' };
  const moved = record(await agent.call('rescheduleBooking', change));
  say(`Rescheduled to ${second.start}: ${moved['uid']}`);
}

function dataOf(answer: ToolAnswer): unknown {
  if ('fault' in answer) throw new Error(answer.fault);
  return answer.data;
}

const record = (answer: ToolAnswer) => dataOf(answer) as Record<string, unknown>;
const list = (answer: ToolAnswer) => dataOf(answer) as Record<string, unknown>[];
