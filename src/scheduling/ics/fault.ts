/** Says where a file can't be read, so that its owner finds it. */
export interface Place {
  /** Counts from 1 where there are several. */
  readonly feed?: number;
  readonly line?: number;
  /** Ends a sentence that begins with the line. */
  readonly what?: string;
  readonly entry?: string;
}

type Reason = 'not_a_calendar' | 'too_costly' | 'too_large' | 'busy';

/** The message has nothing of the file; the place is its owner's. */
export class IcsFault extends Error {
  override readonly name = 'IcsFault';
  readonly reason: Reason;
  readonly place: Place;
  constructor(reason: Reason, place: Place = {}) {
    super(reason);
    this.reason = reason;
    this.place = place;
  }
}
