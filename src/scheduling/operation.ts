import { z } from 'zod';
import { apiError } from '../api/errors.ts';
import type { Scope } from '../oauth/core/scope.ts';
import { inDigits } from './input.ts';

/** A tag of the document (api/openapi/guide.ts). */
type Family = 'Me' | 'Event types' | 'Schedules' | 'Slots' | 'Bookings' | 'Calendars' | 'Managed users';

const pagination = z
  .object({
    totalItems: z.int(),
    returnedItems: z.int(),
    itemsPerPage: z.int(),
    currentPage: z.int(),
    totalPages: z.int(),
    remainingItems: z.int(),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
  })
  .meta({
    id: 'Pagination',
    examples: [
      {
        totalItems: 1,
        returnedItems: 1,
        itemsPerPage: 100,
        currentPage: 1,
        totalPages: 1,
        remainingItems: 0,
        hasNextPage: false,
        hasPreviousPage: false,
      },
    ],
  });

/** Describes a page of `returned` items among `total` (contract §5). */
export function paginationOf(
  total: number,
  returned: number,
  take: number,
  skip: number,
): z.output<typeof pagination> {
  const remaining = Math.max(0, total - skip - returned);
  return {
    totalItems: total,
    returnedItems: returned,
    itemsPerPage: take,
    currentPage: Math.floor(skip / take) + 1,
    totalPages: Math.ceil(total / take),
    remainingItems: remaining,
    hasNextPage: remaining > 0,
    hasPreviousPage: skip > 0,
  };
}

const pageBounds = {
  take: inDigits(z.int().min(1).max(250)),
  skip: inDigits(z.int().min(0).max(1_000_000)),
};

/** Query parameters of paginated lists (contract §8). */
export const pageQuery = {
  take: pageBounds.take.default(100).describe('Number of items to return.'),
  skip: pageBounds.skip.default(0).describe('Number of items to skip.'),
};

/** Cal.com's names for `take` and `skip` in some lists. */
export const limitQuery = {
  limit: pageBounds.take.optional().describe('Alias of `take`.'),
  offset: pageBounds.skip.optional().describe('Alias of `skip`.'),
};

/** Added to the description of each sort order. */
export const orderWords =
  'In default order and in ascending order of creation, pages stay stable while items are added. With other sort orders you may see duplicates; de-duplicate by id.';

export function successOf<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), data });
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ status: z.literal('success'), data: z.array(item), pagination });
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly family: Family;
  /** Undefined if no token is required. */
  readonly scope?: Scope;
  /** Callers without a token: anybody (for some inputs), or clients for themselves. */
  readonly caller?: 'anybody' | 'client';
  /** Errors besides those of all operations, with descriptions. */
  readonly errors?: Readonly<Record<number, string>>;
}

const errorsOfAll = {
  400: 'Invalid request; `details` names each invalid field.',
  default: 'Any other error, in the same shape: 413, 415, 500, and 503 with Retry-After.',
} as const;
const errorsOfTokens = {
  401: 'Missing or invalid access token.',
  403: "Insufficient scope, or the user isn't allowed to do this.",
} as const;
const errorsOfAnybody = { 401: 'The access token is invalid.' } as const;
const errorsOfClients = {
  401: 'Unknown client or wrong secret.',
  403: "The client can't manage these users: it isn't approved, is public, belongs to no platform, or they are another client's.",
  429: 'Too many wrong secrets.',
} as const;
const successes = { 200: 'Success.', 201: 'Created.' } as const;

/** A route's `schema` without its inputs: its documentation and its responses. */
export function describeOperation<const Status extends 200 | 201, Success extends z.ZodType>(
  { operationId, summary, description, family, scope, caller, errors = {} }: Operation,
  status: Status,
  success: Success,
) {
  const ofTokens = scope === undefined ? {} : errorsOfTokens;
  const ofCaller = { anybody: errorsOfAnybody, client: errorsOfClients, user: {} }[caller ?? 'user'];
  const words = { ...errorsOfAll, ...ofCaller, ...ofTokens, ...errors };
  const faults = Object.entries(words).map(([code, meaning]) => [code, apiError.describe(meaning)] as const);
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [family],
    security: securityOf(scope, caller),
    response: { ...Object.fromEntries(faults), [status]: success.describe(successes[status]) },
  };
}

function securityOf(scope: Scope | undefined, caller: Operation['caller']): Record<string, string[]>[] {
  if (caller === 'client')
    return [{ clientBasic: [] }, { clientSecret: [] }, { clientId: [], clientSecret: [] }];
  const token = { oauth2: scope === undefined ? [] : [scope] };
  return caller === 'anybody' ? [{}, token] : [token];
}
