import {
  containsInterval,
  type Interval,
  intersectIntervals,
  mergeIntervals,
  overlapsAny,
} from './interval.ts';

export interface EventTiming {
  readonly lengthMinutes: number;
  readonly beforeBufferMinutes: number;
  readonly afterBufferMinutes: number;
}

export interface SlotRules extends EventTiming {
  readonly intervalMinutes: number;
  readonly minimumNoticeMinutes: number;
}

export interface EventTime extends Interval {
  readonly beforeBufferMinutes: number;
  readonly afterBufferMinutes: number;
}

export interface Host {
  readonly id: number;
  readonly working: readonly Interval[];
  /** The buffers of what is booked are part of it. */
  readonly busy: readonly Interval[];
}

export type HostsNeeded = 'collective' | 'any';

export interface Slot {
  readonly start: number;
  readonly hostIds: readonly number[];
}

const minuteMs = 60_000;

type FindSlots = (range: Interval, now: number) => readonly Slot[];

/**
 * Finds the slots that start in a range, sorted. Starts are counted from each stretch of working
 * hours (collective: shared ones), so they depend neither on the range nor on bookings. Buffers may
 * reach beyond working hours.
 */
export function createSlotFinder(rules: SlotRules, hosts: readonly Host[], needed: HostsNeeded): FindSlots {
  const find = needed === 'collective' ? collectiveSlots(rules, hosts) : anyHostSlots(rules, hosts);
  return (range, now) => {
    const start = Math.max(range.start, now + rules.minimumNoticeMinutes * minuteMs);
    return hosts.length === 0 || start >= range.end ? [] : find({ start, end: range.end });
  };
}

function collectiveSlots(rules: SlotRules, hosts: readonly Host[]): (asked: Interval) => readonly Slot[] {
  const [first = [], ...others] = hosts.map((host) => host.working);
  const startsIn = freeStarts(rules, {
    working: others.reduce(intersectIntervals, first),
    busy: hosts.flatMap(({ busy }) => busy),
  });
  const hostIds = hosts.map(({ id }) => id);
  return (asked) => startsIn(asked).map((start) => ({ start, hostIds }));
}

function anyHostSlots(rules: SlotRules, hosts: readonly Host[]): (asked: Interval) => readonly Slot[] {
  const each = hosts.map((host) => ({ id: host.id, startsIn: freeStarts(rules, host) }));
  return (asked) => {
    const hostIdsByStart = new Map<number, number[]>();
    for (const { id, startsIn } of each)
      for (const start of startsIn(asked)) {
        const hostIds = hostIdsByStart.get(start);
        if (hostIds === undefined) hostIdsByStart.set(start, [id]);
        else hostIds.push(id);
      }
    return [...hostIdsByStart]
      .map(([start, hostIds]) => ({ start, hostIds }))
      .toSorted((a, b) => a.start - b.start);
  };
}

function freeStarts(
  rules: SlotRules,
  { working, busy }: Pick<Host, 'busy' | 'working'>,
): (asked: Interval) => readonly number[] {
  const whole = mergeIntervals(working);
  const isFree = freeTimeOf(busy);
  const stepMs = rules.intervalMinutes * minuteMs;
  return (asked) => {
    const starts: number[] = [];
    for (const stretch of working) {
      const skipped = Math.max(0, Math.ceil((asked.start - stretch.start) / stepMs));
      const end = Math.min(stretch.end, asked.end);
      for (let start = stretch.start + skipped * stepMs; start < end; start += stepMs) {
        const event = eventAt(rules, start);
        if (containsInterval(whole, event) && isFree(event)) starts.push(start);
      }
    }
    return starts;
  };
}

export function eventAt(
  { lengthMinutes, beforeBufferMinutes, afterBufferMinutes }: EventTiming,
  start: number,
): EventTime {
  return { start, end: start + lengthMinutes * minuteMs, beforeBufferMinutes, afterBufferMinutes };
}

/** Tells whether an event keeps its distance from all taken time: buffers of neighbours add up. */
export function freeTimeOf(busy: readonly Interval[]): (event: EventTime) => boolean {
  const guarded = mergeIntervals(busy);
  return (event) => !overlapsAny(guarded, withBuffers(event));
}

function withBuffers({ start, end, beforeBufferMinutes, afterBufferMinutes }: EventTime): Interval {
  return { start: start - beforeBufferMinutes * minuteMs, end: end + afterBufferMinutes * minuteMs };
}

/** The time needn't be a slot. Buffers may reach beyond working hours. */
export function isHostFree({ working, busy }: Host, wanted: EventTime): boolean {
  return containsInterval(mergeIntervals(working), wanted) && freeTimeOf(busy)(wanted);
}
