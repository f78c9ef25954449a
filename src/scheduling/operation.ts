import { z } from 'zod';
import { apiError } from '../http.ts';
import type { Scope } from '../oauth/core/scope.ts';
import { inDigits } from './input.ts';
import type { DatedFamily } from './versions.ts';

export type Family = DatedFamily | 'Me' | 'Schedules' | 'Calendars' | 'Managed users' | 'OAuth clients';

export const pagination = z
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
export type Pagination = z.output<typeof pagination>;

/** Where a page of `returned` items stands among `total`, contract §5. */
export function paginationOf(total: number, returned: number, take: number, skip: number): Pagination {
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

/** `take` and `skip` of a list, contract §8. */
export const pageQuery = {
  take: pageBounds.take.default(100).describe('How many at most.'),
  skip: pageBounds.skip.default(0).describe('How many to leave out.'),
};

/** What some of Cal.com's lists call `take` and `skip`. */
export const limitQuery = {
  limit: pageBounds.take.optional().describe('Another name for take.'),
  offset: pageBounds.skip.optional().describe('Another name for skip.'),
};

/** What is added to the words on an order: when its pages stay whole. */
export const orderWords =
  'While others are added, only a list without an order, or ascending by when they were made, keeps its pages whole; in any other, leave out the ids that you have seen.';

/** The success shape, contract §5. */
export function successOf<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), data });
}

/** The success shape of a list that pages, contract §5. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ status: z.literal('success'), data: z.array(item), pagination });
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly family: Family;
  /** Undefined: no token is needed. */
  readonly scope?: Scope;
  /** Who calls it when it is not an app for a user: anybody, for some inputs at least, or a client for itself. */
  readonly caller?: 'anybody' | 'client';
  /** The errors of its own, besides those that every operation has, and what they mean. */
  readonly errors?: Readonly<Record<number, string>>;
}

const errorsOfAll = {
  400: 'The request has faults; details names them.',
  default: 'Any other fault, in the same shape: 413, 415, 500, and 503 with Retry-After.',
} as const;
const errorsOfTokens = {
  401: 'There is no valid access token.',
  403: 'The token’s scopes do not allow this, or its user may not do it.',
} as const;
const errorsOfAnybody = { 401: 'An access token was sent, and it is not valid.' } as const;
const errorsOfClients = {
  401: 'There is no client with this id and secret.',
  403: 'The client may not do this: another’s users, not accepted, public, or no platform’s.',
  429: 'Too many wrong secrets.',
} as const;
const successes = { 200: 'It went well.', 201: 'It was made.' } as const;

/** A route's `schema` but for its inputs: what the OpenAPI document says of the operation, and its answers. */
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
