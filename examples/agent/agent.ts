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
  const [first, second] = startsOf(await agent.call('listSlots', range));
  if (first === undefined || second === undefined) return say('There is no free time.');

  const attendee = { ...wish.attendee, timeZone };
  // With this key, a call whose answer is lost and that is sent again books once.
  const idempotencyKey = crypto.randomUUID();
  const booking = { eventTypeId, start: first, attendee, idempotencyKey };
  const { uid } = record(await agent.call('createBooking', booking));
  say(`Booked: ${first}`);
  const change = { uid, start: second, reschedulingReason: 'A little later suits better.' };
  const moved = record(await agent.call('rescheduleBooking', change));
  say(`Rescheduled to ${second}: ${moved['uid']}`);
}

/** Slots are times by day; an offset holds from its day on. */
function startsOf(answer: ToolAnswer): string[] {
  const { offsets = {} } = 'fault' in answer ? {} : answer;
  let offset = '';
  return Object.entries(record(answer) as Record<string, string[]>).flatMap(([day, times]) => {
    offset = offsets[day] ?? offset;
    return times.map((time) => `${day}T${time}:00${offset}`);
  });
}

function dataOf(answer: ToolAnswer): unknown {
  if ('fault' in answer) throw new Error(answer.fault);
  return answer.data;
}

const record = (answer: ToolAnswer) => dataOf(answer) as Record<string, unknown>;
const list = (answer: ToolAnswer) => dataOf(answer) as Record<string, unknown>[];
