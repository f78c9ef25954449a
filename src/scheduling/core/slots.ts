import {
  containsInterval,
  type Interval,
  intersectIntervals,
  mergeIntervals,
  overlapsAny,
} from './interval.ts';

/** Minutes that an event takes. */
export interface EventTiming {
  readonly lengthMinutes: number;
  readonly beforeBufferMinutes: number;
  readonly afterBufferMinutes: number;
}

/** Minutes. */
export interface SlotRules extends EventTiming {
  readonly intervalMinutes: number;
  readonly minimumNoticeMinutes: number;
  /** Milliseconds since the epoch; undefined: unlimited. */
  readonly bookableUntil: number | undefined;
}

/** Its buffers keep other bookings away, as a wanted slot's do. */
export interface BusyTime extends Interval {
  readonly beforeBufferMinutes: number;
  readonly afterBufferMinutes: number;
}

export interface Host {
  readonly id: number;
  /** From `workingIntervals`. */
  readonly working: readonly Interval[];
  readonly busy: readonly BusyTime[];
}

/** `collective`: all hosts take part; `any`: one of them does. */
export type HostsNeeded = 'collective' | 'any';

/** Hosts who are free, in the given order. */
export interface Slot {
  readonly start: number;
  readonly hostIds: readonly number[];
}

const minuteMs = 60_000;

/**
 * Slots that start in the range, sorted. Starts are counted from each stretch of working hours
 * (collective: shared ones), so they depend neither on the range nor on bookings. Buffers may reach
 * beyond working hours.
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

/** Adjacent hours count as one. */
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

export function eventAt(
  { lengthMinutes, beforeBufferMinutes, afterBufferMinutes }: EventTiming,
  start: number,
): BusyTime {
  return { start, end: start + lengthMinutes * minuteMs, beforeBufferMinutes, afterBufferMinutes };
}

/** Whether an event and all taken time keep their distance, in both directions. */
export function freeTimeOf(busy: readonly BusyTime[]): (event: BusyTime) => boolean {
  const taken = mergeIntervals(busy);
  const guarded = mergeIntervals(busy.map(withBuffers));
  return (event) => !overlapsAny(taken, withBuffers(event)) && !overlapsAny(guarded, event);
}

function withBuffers({ start, end, beforeBufferMinutes, afterBufferMinutes }: BusyTime): Interval {
  return { start: start - beforeBufferMinutes * minuteMs, end: end + afterBufferMinutes * minuteMs };
}

/**
 * Whether a host is free at a time that needn't be a slot. Buffers may reach beyond working hours.
 */
export function isHostFree({ working, busy }: Host, wanted: BusyTime): boolean {
  return containsInterval(mergeIntervals(working), wanted) && freeTimeOf(busy)(wanted);
}
