import {
  containsInterval,
  type Interval,
  intersectIntervals,
  mergeIntervals,
  overlapsAny,
} from './interval.ts';

/** What an event takes of a host's time; minutes. */
export interface Room {
  readonly lengthMinutes: number;
  readonly beforeBufferMinutes: number;
  readonly afterBufferMinutes: number;
}

/** What an event type asks of a slot; minutes. */
export interface SlotRules extends Room {
  /** From one start to the next. */
  readonly intervalMinutes: number;
  readonly minimumNoticeMinutes: number;
  /** No slot starts at or after this instant, milliseconds since the epoch; undefined: no limit. */
  readonly bookableUntil: number | undefined;
}

/** Time that is taken. Its own buffers keep other bookings away, as the wanted slot's buffers keep it away from this. */
export interface BusyTime extends Interval {
  readonly beforeBufferMinutes: number;
  readonly afterBufferMinutes: number;
}

export interface Host {
  readonly id: number;
  /** As `workingIntervals` gives them. */
  readonly working: readonly Interval[];
  readonly busy: readonly BusyTime[];
}

/** `collective`: all hosts take part; `any`: one of them does. */
export type HostsNeeded = 'collective' | 'any';

/** An instant at which a booking may start, and the hosts who are free for it, in the order in which they were given. */
export interface Slot {
  readonly start: number;
  readonly hostIds: readonly number[];
}

const minuteMs = 60_000;

/**
 * The slots that start inside the range and not before now and the minimum notice, sorted. Starts are counted from the beginning of each
 * stretch of working hours (for a collective event: of the hours that all hosts have in common), so they depend neither on the range nor on
 * what is booked. The event lies inside working hours; its buffers may reach beyond them.
 */
export function findSlots(
  rules: SlotRules,
  hosts: readonly Host[],
  needed: HostsNeeded,
  range: Interval,
  now: number,
): readonly Slot[] {
  const earliest = Math.max(range.start, now + rules.minimumNoticeMinutes * minuteMs);
  const latest = Math.min(range.end, rules.bookableUntil ?? Number.POSITIVE_INFINITY);
  if (hosts.length === 0 || earliest >= latest) return [];
  const asked = { start: earliest, end: latest };
  return needed === 'collective' ? collectiveSlots(rules, hosts, asked) : anyHostSlots(rules, hosts, asked);
}

function collectiveSlots(rules: SlotRules, hosts: readonly Host[], asked: Interval): readonly Slot[] {
  const working = hosts.map((host) => host.working).reduce(intersectIntervals);
  const isFree = freeTimeOf(hosts.flatMap(({ busy }) => busy));
  const hostIds = hosts.map(({ id }) => id);
  return startsWithin(rules, working, asked)
    .filter((start) => isFree(eventAt(rules, start)))
    .map((start) => ({ start, hostIds }));
}

function anyHostSlots(rules: SlotRules, hosts: readonly Host[], asked: Interval): readonly Slot[] {
  const hostIdsByStart = new Map<number, number[]>();
  for (const { id, working, busy } of hosts) {
    const isFree = freeTimeOf(busy);
    for (const start of startsWithin(rules, working, asked)) {
      if (!isFree(eventAt(rules, start))) continue;
      const hostIds = hostIdsByStart.get(start);
      if (hostIds === undefined) hostIdsByStart.set(start, [id]);
      else hostIds.push(id);
    }
  }
  return [...hostIdsByStart]
    .map(([start, hostIds]) => ({ start, hostIds }))
    .toSorted((a, b) => a.start - b.start);
}

/** The starts at which the event lies inside working hours, and which were asked for. Touching stretches of work are one. */
function startsWithin(
  { lengthMinutes, intervalMinutes }: SlotRules,
  working: readonly Interval[],
  asked: Interval,
): readonly number[] {
  const whole = mergeIntervals(working);
  const [lengthMs, stepMs] = [lengthMinutes * minuteMs, intervalMinutes * minuteMs];
  const starts: number[] = [];
  for (const stretch of working) {
    const skipped = Math.max(0, Math.ceil((asked.start - stretch.start) / stepMs));
    const end = Math.min(stretch.end, asked.end);
    for (let start = stretch.start + skipped * stepMs; start < end; start += stepMs) {
      if (containsInterval(whole, { start, end: start + lengthMs })) starts.push(start);
    }
  }
  return starts;
}

/** The event that starts then, with its buffers. */
export function eventAt(
  { lengthMinutes, beforeBufferMinutes, afterBufferMinutes }: Room,
  start: number,
): BusyTime {
  return { start, end: start + lengthMinutes * minuteMs, beforeBufferMinutes, afterBufferMinutes };
}

/** Whether an event keeps its distance from all that is taken, and the other way round. */
export function freeTimeOf(busy: readonly BusyTime[]): (event: BusyTime) => boolean {
  const taken = mergeIntervals(busy);
  const guarded = mergeIntervals(busy.map(withBuffers));
  return (event) => !overlapsAny(taken, withBuffers(event)) && !overlapsAny(guarded, event);
}

function withBuffers({ start, end, beforeBufferMinutes, afterBufferMinutes }: BusyTime): Interval {
  return { start: start - beforeBufferMinutes * minuteMs, end: end + afterBufferMinutes * minuteMs };
}
