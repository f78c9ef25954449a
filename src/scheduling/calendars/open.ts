import { createOutbound } from '../../platform/outbound.ts';
import type { Opening } from '../../platform/parts.ts';
import { isPublicAddress, isWithinRanges } from '../../platform/public-address.ts';
import { createIcsReader } from '../ics/reader.ts';
import { createCalendarReader } from './reader.ts';
import { createReadings } from './readings.ts';

declare module '../../platform/parts.ts' {
  interface PartOptions {
    /** Ends what a reading of calendars fetches. */
    readonly calendarDeadlineMs?: number | undefined;
    /** Ends a thread that reads what was fetched. */
    readonly calendarThreadMs?: number | undefined;
  }
}

/** Connects to nothing, and starts no thread, before a calendar is read. */
export function openCalendars({
  config,
  db,
  log,
  runtime,
  secrets,
  opened,
  options,
}: Omit<Opening, 'parts'>) {
  const outbound = opened.adopt(
    createOutbound({
      mayConnectTo: (address) =>
        isPublicAddress(address) || isWithinRanges(address, config.calendarAllowPrivate),
    }),
    (it) => it.close(),
  );
  const ics = opened.adopt(createIcsReader({ limitMs: options.calendarThreadMs }), (it) => it.close());
  const run = createReadings({ outbound, ics, runtime, deadlineMs: options.calendarDeadlineMs });
  return { outbound, calendars: { read: createCalendarReader({ db, runtime, secrets, run, log }), run } };
}
