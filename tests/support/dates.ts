import { Temporal } from 'temporal-polyfill';

const first = Date.parse('2031-06-02T00:00:00Z');
/** Clocks in Berlin go back two days later. */
const last = Date.parse('2031-10-24T00:00:00Z');
const dayMs = 86_400_000;
let dateGiven = first;

/** Gives out the dates from the first one again: for a file with a database of its own, whatever ran before it in the same process. */
export function beginDates(): void {
  dateGiven = first;
}

/** A working day that no test of the file had before, in summer time. */
export function nextDate(): string {
  if (dateGiven > last) throw new Error('the file has used all dates of the summer');
  const date = new Date(dateGiven);
  dateGiven += (date.getUTCDay() === 5 ? 3 : 1) * dayMs;
  return date.toISOString().slice(0, 10);
}

/** An instant of a day in Berlin. */
export function inBerlin(date: string, time: string): string {
  const { epochMilliseconds } = Temporal.ZonedDateTime.from(`${date}T${time}:00[Europe/Berlin]`);
  return new Date(epochMilliseconds).toISOString();
}
