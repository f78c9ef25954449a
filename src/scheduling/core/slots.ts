import {
  containsInterval,
  type Interval,
  intersectIntervals,
  mergeIntervals,
  overlapsAny,
} from './interval.ts';

/** What an event takes of a host's time; minutes. */
export interface EventTiming {
  readonly lengthMinutes: number;
  readonly beforeBufferMinutes: number;
  readonly afterBufferMinutes: number;
}

/** What an event type asks of a slot; minutes. */
export interface SlotRules extends EventTiming {
  /** From one start to the next. */
  readonly intervalMinutes: number;
  readonly minimumNoticeMinutes: number;
  /** No slot starts at or after this instant, milliseconds since the epoch; undefined: no limit. */
  readonly bookableUntil: number | undefined;
}

/** Taken time. Its buffers keep other bookings away, as a wanted slot's buffers do. */
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

/** When a booking may start, and the hosts who are free for it, in the given order. */
export interface Slot {
  readonly start: number;
  readonly hostIds: readonly number[];
}

const minuteMs = 60_000;

/**
 * The slots that start in the range, after now and the minimum notice, sorted. Starts are counted
 * from the beginning of each stretch of working hours (collective: hours that all hosts share), so
 * they depend neither on the range nor on bookings. Only buffers may reach beyond working hours.
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

/** The wanted starts at which the event is inside working hours; adjacent hours count as one. */
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
  { lengthMinutes, beforeBufferMinutes, afterBufferMinutes }: EventTiming,
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

/**
 * Whether a host is free at a time that needn't be a slot: inside working hours and clear of taken
 * time, with the buffers of both. As with slots, buffers may reach beyond working hours.
 */
export function isHostFree({ working, busy }: Host, wanted: BusyTime): boolean {
  return containsInterval(mergeIntervals(working), wanted) && freeTimeOf(busy)(wanted);
}
