/** Words for instants in somebody's time zone. */
export interface Moments {
  /** `21 Nov 2026`. */
  dayOf(at: Date): string;
  /** `21 Nov 2026, 08:23 CET`. */
  momentOf(at: Date): string;
}

const known = new Map<string, Moments>();

const mostKnown = 500;

/** Making the formats is slow: they are kept, for as many zones as there are and not for every spelling of their names. */
export function momentsOf(timeZone: string): Moments {
  const moments = known.get(timeZone) ?? createMoments(timeZone);
  if (known.size >= mostKnown && !known.has(timeZone)) known.clear();
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
