import { z } from 'zod';

export const listStatuses = ['waiting', 'accepted', 'rejected', 'all'] as const;
export type ListStatus = (typeof listStatuses)[number];

/** A place in the list: the instant and the id of the app beside it. */
export interface Place {
  readonly at: Date;
  readonly id: string;
}

/** The part of the list that a page shows: what comes after a place, or what came before it. */
export interface Span {
  readonly direction: 'after' | 'before';
  readonly place: Place;
}

const placeForm = /^([0-9]{1,15})-([0-9a-f]{1,64})$/;

/** A place as it stands in an address. */
export function writePlace({ at, id }: Place): string {
  return `${at.getTime()}-${id}`;
}

function readPlace(text: string): Place | undefined {
  const [, time, id] = placeForm.exec(text) ?? [];
  if (id === undefined) return undefined;
  const at = new Date(Number(time));
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 ? undefined : { at, id };
}

const place = z.string().transform(readPlace).catch(undefined);

/**
 * The address of the list. A status or a place that does not exist is the usual one, because an
 * address may be old or cut off; a search that cannot be made is a fault, because its answer would
 * mislead.
 */
export const listQuery = z
  .object({
    q: z
      .string({ error: 'Enter one search term.' })
      .trim()
      .max(200, { error: 'Use 200 characters at most.' })
      .refine((text) => !/\p{Cc}/u.test(text), { error: 'Leave out control characters.' })
      .default(''),
    status: z.enum(listStatuses).catch('waiting'),
    after: place.optional(),
    before: place.optional(),
    /** The app that was decided just now. */
    decided: z
      .string()
      .regex(/^[0-9a-f]{1,64}$/)
      .optional()
      .catch(undefined),
  })
  .transform(({ q, status, after, before, decided }) => ({
    q,
    status,
    decided,
    span: spanOf(after, before),
  }));

function spanOf(after: Place | undefined, before: Place | undefined): Span | undefined {
  if (after !== undefined) return { direction: 'after', place: after };
  return before === undefined ? undefined : { direction: 'before', place: before };
}
