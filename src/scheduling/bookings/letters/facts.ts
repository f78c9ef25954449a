import type { TimeFormat } from '../../../accounts/person.ts';
import type { Party } from '../../core/booking.ts';
import { tellSpan } from '../../core/days.ts';

/** Somebody who hosts a booking, as its letters name them. */
export interface LetterHost {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
  readonly timeFormat: TimeFormat;
}

/** What may change when a booking is moved or handed over. */
export interface Standing {
  readonly title: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly hosts: readonly LetterHost[];
}

/** What the letters of a booking say. */
export interface LetterBooking extends Standing {
  readonly uid: string;
  readonly icsUid: string;
  readonly sequence: number;
  readonly description: string;
  readonly attendeeName: string;
  readonly attendeeEmail: string;
  readonly attendeeTimeZone: string;
  /** Undefined: not said. */
  readonly attendeeLanguage?: string | undefined;
  readonly guests: readonly string[];
  readonly responses: Readonly<Record<string, unknown>>;
  /** Where the same is booked once more, when this does not take place; undefined: nowhere. */
  readonly bookAgain?: string | undefined;
}

/** Who did it, unless it came about by itself, and what they said about it. */
export interface Cause {
  readonly by?: Party | undefined;
  readonly reason: string | null;
}

/** How somebody reads the time. */
export interface Clock {
  readonly timeZone: string;
  readonly hours: TimeFormat;
}

/** Who reads the facts. */
export interface FactsReader extends Clock {
  /** What whoever booked has noted, if it is for this reader. */
  readonly notes: string;
}

/** What came before a letter, as far as its reader is to know it. */
interface Past extends Cause {
  readonly former?: Standing | undefined;
  readonly doer?: string | undefined;
}

/** What a letter says of a booking, a fact a line; what there is not is left out. */
export function factsOf(
  { title, startsAt, endsAt, hosts, attendeeName, attendeeEmail, guests }: LetterBooking,
  { former, doer, by, reason }: Past,
  { timeZone, hours, notes }: FactsReader,
): readonly (readonly [string, string])[] {
  const isMoved = former !== undefined && former.startsAt.getTime() !== startsAt.getTime();
  const parties = { host: 'the host', attendee: `${attendeeName}, who booked it` } as const;
  const facts: Readonly<Record<string, string>> = {
    What: title,
    When: tellTimes({ startsAt, endsAt }, { timeZone, hours }),
    'Until now': isMoved ? tellTimes(former, { timeZone, hours }) : '',
    With: hosts.map(({ name }) => name).join(', '),
    'Booked by': `${attendeeName} (${attendeeEmail})`,
    Guests: guests.join(', '),
    Notes: notes,
    ...(by === undefined || doer === undefined ? {} : { [doer]: parties[by] }),
    Reason: reason ?? '',
  };
  return Object.entries(facts).filter(([, value]) => value !== '');
}

function tellTimes(
  { startsAt, endsAt }: Pick<Standing, 'startsAt' | 'endsAt'>,
  { timeZone, hours }: Clock,
): string {
  return `${tellSpan(startsAt.getTime(), endsAt.getTime(), timeZone, hours)} (${timeZone})`;
}
