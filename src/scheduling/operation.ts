import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { type ApiErrorCode, apiError, sendApiError, sendInputFaults } from '../api/errors.ts';
import { requireScope } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/core/scope.ts';

type Family = 'Me' | 'Event types' | 'Schedules' | 'Slots' | 'Bookings' | 'Calendars' | 'Managed users';

/** The supported version per family (contract §8). */
export const apiVersions = {
  eventTypes: '2024-06-14',
  bookings: '2024-08-13',
  slots: '2024-09-04',
} as const;

export type ApiVersion = (typeof apiVersions)[keyof typeof apiVersions];

declare module 'fastify' {
  interface FastifyContextConfig {
    apiVersion?: ApiVersion;
  }
}

/** Schemas of responses, with an example. */
export const exampleInt = (example: number) => z.int().meta({ examples: [example] });
export const exampleText = (example: string) => z.string().meta({ examples: [example] });
export const exampleTime = (example: string) => z.iso.datetime().meta({ examples: [example] });
export const exampleUsername = z
  .string()
  .nullable()
  .meta({ examples: ['ann'] });

const pagination = z
  .object({
    totalItems: z.int(),
    returnedItems: z.int(),
    itemsPerPage: exampleInt(100),
    currentPage: z.int(),
    totalPages: z.int(),
    remainingItems: exampleInt(0),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
  })
  .meta({ id: 'Pagination' });

/** A page of `totalItems` (contract §5). */
export function showPage<Item>(
  data: Item[],
  totalItems: number,
  { take, skip }: { readonly take: number; readonly skip: number },
) {
  const remainingItems = Math.max(0, totalItems - skip - data.length);
  const pagination = {
    totalItems,
    returnedItems: data.length,
    itemsPerPage: take,
    currentPage: Math.floor(skip / take) + 1,
    totalPages: Math.ceil(totalItems / take),
    remainingItems,
    hasNextPage: remainingItems > 0,
    hasPreviousPage: skip > 0,
  };
  return { status: 'success', data, pagination } as const;
}

export const done = z.object({ status: z.literal('success') });

export function successOf<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), data });
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ status: z.literal('success'), data: z.array(item), pagination });
}

type Input = 'params' | 'querystring' | 'body' | 'headers';

interface Operation extends Partial<Readonly<Record<Input, z.ZodType>>> {
  readonly description?: string;
  readonly errors?: Readonly<Record<number, string>>;
  readonly status?: 200 | 201;
}

interface Access {
  readonly scope?: Scope;
  /** Callers without a token: anyone (for some inputs), or clients for themselves. */
  readonly caller?: 'anyone' | 'client';
  readonly apiVersion?: ApiVersion;
}

const errorsOfAll = {
  400: 'Invalid request; `details` names each invalid field.',
  default: 'Any other error, in the same shape: 413, 415, 500, and 503 with Retry-After.',
} as const;
const errorsOfTokens = {
  401: 'Missing or invalid access token.',
  403: "Insufficient scope, or the user isn't allowed to do this.",
  429: 'Too many requests; RateLimit-Reset and Retry-After say when to go on.',
} as const;
const errorsOfCallers = {
  anyone: { 401: 'The access token is invalid.' },
  client: {
    401: 'Unknown client or wrong secret.',
    403: "The client can't manage these users: it isn't approved, is public, belongs to no platform, or they are another client's.",
    429: 'Too many wrong secrets.',
  },
} as const;

/** Route options: documentation, required scope and supported version of a family's operations. */
export function operationsOf(family: Family, { scope, caller, apiVersion }: Access) {
  const common = {
    ...errorsOfAll,
    ...(caller === undefined ? {} : errorsOfCallers[caller]),
    ...(scope === undefined ? {} : errorsOfTokens),
  };
  const access = {
    config: {
      ...(apiVersion === undefined ? {} : { apiVersion }),
      ...(scope === undefined ? {} : { scope }),
    },
    ...(scope === undefined ? {} : { preValidation: requireScope(scope) }),
  };
  return <Success extends z.ZodType, Given extends Operation>(
    operationId: string,
    summary: string,
    success: Success,
    { description, errors, status = 200, ...inputs }: Given,
  ) => {
    const faults = Object.entries({ ...common, ...errors }).map(
      ([code, meaning]) => [code, apiError.describe(meaning)] as const,
    );
    const succeeded = success.describe(status === 201 ? 'Created.' : 'Success.');
    const schema = {
      ...inputs,
      operationId,
      summary,
      ...(description === undefined ? {} : { description }),
      tags: [family],
      security: securityOf(scope, caller),
      response: { ...Object.fromEntries(faults), [status]: succeeded },
    };
    return { ...access, schema };
  };
}

function securityOf(scope: Scope | undefined, caller: Access['caller']): Record<string, string[]>[] {
  if (caller === 'client')
    return [{ clientBasic: [] }, { clientSecret: [] }, { clientId: [], clientSecret: [] }];
  const token = [{ oauth2: scope === undefined ? [] : [scope] }, { accessToken: [] }];
  return caller === 'anyone' ? [{}, ...token] : token;
}

const headerName = 'cal-api-version';

/**
 * Documents the header of routes with a `config.apiVersion`, and rejects other versions before
 * other faults: those may be right in the version that the request was written for.
 */
export const versionsPlugin = fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const version = route.config?.apiVersion;
      if (version === undefined) return;
      const sent = route.schema?.headers;
      const header = z.literal(version).optional().describe('The API version of this operation.');
      const headers = z.object({
        [headerName]: header,
        ...(sent instanceof z.ZodObject ? sent.shape : {}),
      });
      route.schema = { ...route.schema, headers };
      route.preValidation = [...[route.preValidation ?? []].flat(), rejectOthers(version)];
    });
  },
  { name: 'api-versions' },
);

function rejectOthers(version: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const sent = request.headers[headerName];
    if (sent === undefined || sent === version) return undefined;
    return sendInputFaults(request, reply, { [headerName]: `The supported version is ${version}.` });
  };
}

/** Code, message, and the field that it's about. */
export type RefusalWords = readonly [ApiErrorCode, message: string, field?: string];

export function sendRefusal(reply: FastifyReply, [code, message, field]: RefusalWords): FastifyReply {
  if (field !== undefined) return sendInputFaults(reply.request, reply, { [field]: message });
  return sendApiError(reply.request, reply, code, message);
}
