import { z } from 'zod';
import { apiError } from '../http.ts';
import type { Scope } from '../oauth/core/scope.ts';
import { inDigits } from './input.ts';

/** The dated families of the API and the version of each (contract §8). */
export const apiVersions = {
  'Event types': '2024-06-14',
  Bookings: '2024-08-13',
  Slots: '2024-09-04',
} as const;

export type DatedFamily = keyof typeof apiVersions;
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

/** `take` and `skip` of a list, contract §8. */
export const pageQuery = {
  take: inDigits(z.int().min(1).max(250)).default(100).describe('How many at most.'),
  skip: inDigits(z.int().min(0).max(1_000_000)).default(0).describe('How many to leave out.'),
};

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
  if (caller === 'client') return [{ clientBasic: [] }, { clientId: [], clientSecret: [] }];
  const token = { oauth2: scope === undefined ? [] : [scope] };
  return caller === 'anybody' ? [{}, token] : [token];
}

/** The version header of a dated family: absent, or this one version (contract §8). */
export function versionHeader(family: DatedFamily) {
  const version = apiVersions[family];
  return z.object({
    'cal-api-version': z
      .literal(version, { error: `The supported version is ${version}.` })
      .optional()
      .describe('The version of this family of operations.'),
  });
}
