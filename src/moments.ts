/** Words for instants in somebody's time zone. */
export interface Moments {
  /** `21 Nov 2026`. */
  dayOf(at: Date): string;
  /** `21 Nov 2026, 08:23 CET`. */
  momentOf(at: Date): string;
}

const known = new Map<string, Moments>();

/** Making the formats is slow, and there are only some hundred time zones: they are kept. */
export function momentsOf(timeZone: string): Moments {
  const moments = known.get(timeZone) ?? createMoments(timeZone);
  known.set(timeZone, moments);
  return moments;
}

function createMoments(timeZone: string): Moments {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium' });
  const moment = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return { dayOf: (at) => day.format(at), momentOf: (at) => moment.format(at) };
}
