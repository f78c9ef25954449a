import ICAL from 'ical.js';

/** Whether an entry keeps its owner from anything (RFC 5545 §3.8.2.7, §3.8.1.11). */
export function takesTime(event: ICAL.Component): boolean {
  const word = (name: string): string => String(event.getFirstPropertyValue(name) ?? '').toUpperCase();
  return word('transp') !== 'TRANSPARENT' && word('status') !== 'CANCELLED';
}

/** Whether it stands for one of a series (RFC 5545 §3.8.4.4). */
export function isException(event: ICAL.Component): boolean {
  return event.hasProperty('recurrence-id');
}

/** Empty for none. */
export function uidOf(event: ICAL.Component): string {
  return String(event.getFirstPropertyValue('uid') ?? '');
}

/** The dates and times of a property that may hold several. */
export function timesOf(property: ICAL.Property): readonly ICAL.Time[] {
  return valuesOf(property).filter((value) => value instanceof ICAL.Time);
}

/** Whatever values a property holds. */
export function valuesOf(property: ICAL.Property): readonly unknown[] {
  return property.getValues();
}

/** A key for the day that the clock shows. */
export function dateOf({ year, month, day }: ICAL.Time): string {
  return `${year}-${month}-${day}`;
}
