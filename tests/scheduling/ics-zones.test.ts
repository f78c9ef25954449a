import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { zoneOf } from '../../src/scheduling/calendars/ics-zones.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];

test.each([
  'Europe/Berlin',
  'America/St_Johns',
  // Half an hour of summer time.
  'Australia/Lord_Howe',
  // No December 30, 2011.
  'Pacific/Apia',
  // Winter time for a month of the year.
  'Africa/Casablanca',
])(
  '%s has the times of the time zone database, days before and after its clocks change (RFC 5545 §3.3.5)',
  (name) => {
    const zone = zoneOf(name);
    let change = Temporal.Instant.from('2011-06-01T00:00Z').toZonedDateTimeISO(name);
    for (let changes = 0; changes < 8; changes += 1) {
      const next = change.getTimeZoneTransition('next');
      if (next === null) throw new Error('its clocks change no more');
      change = next;
      for (let ms = -4 * dayMs; ms <= 4 * dayMs; ms += 3.5 * hourMs) {
        const instant = change.epochMilliseconds + ms;
        const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
        expect(zone.toWall(instant)).toBe(instant + there.offsetNanoseconds / 1e6);
        // Walls that are skipped or repeated are among them.
        const wall = Temporal.Instant.fromEpochMilliseconds(instant)
          .toZonedDateTimeISO('UTC')
          .toPlainDateTime();
        expect(zone.toInstant(instant)).toBe(wall.toZonedDateTime(name).epochMilliseconds);
      }
    }
  },
);
