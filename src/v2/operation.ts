import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preValidationAsyncHookHandler,
  preValidationHookHandler,
} from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { type ApiErrorCode, apiError, sendApiError, sendInputFaults } from '../api/errors.ts';
import { InvalidInput } from '../api/input-faults.ts';
import type { ApiFamily } from '../api/openapi/document.ts';
import { requireScope } from '../oauth/bearer.ts';
import type { ApiScope } from '../oauth/permissions.ts';
import { type RouteLimit, type ScopedPlugin, scopedPlugin } from '../platform/scoped-plugin.ts';
import { type Differences, describeDifferences, findRefusedFields } from './differences.ts';

/** The versions that families answer in (contract §8). */
type ApiVersion = '2024-04-15' | '2024-06-11' | '2024-06-14' | '2024-08-13' | '2024-09-04';

/** A family answers with its version, whichever one is sent (contract §8). */
interface Family extends ApiFamily {
  readonly version: ApiVersion;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    apiVersion?: ApiVersion;
    /** The operation is gone in this version; the words say what is there instead. */
    goneIn?: readonly [ApiVersion, words: string];
    /** Refused, and told in the description (contract §8). */
    differences?: Differences;
  }
}

export const exampleInt = (example: number) => z.int().meta({ examples: [example] });
/** A format is said, and not checked once more. */
export const exampleText = (example: string, format?: 'date' | 'date-time' | 'email' | 'uri') =>
  z.string().meta({ ...(format && { format }), examples: [example] });
export const exampleTime = (example: string) => z.iso.datetime().meta({ examples: [example] });
export const exampleNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().meta({ examples: [null] });
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

export function showPart<Item>(all: readonly Item[], page: { readonly take: number; readonly skip: number }) {
  return showPage(all.slice(page.skip, page.skip + page.take), all.length, page);
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
  /** What Cal.com’s operation takes and this one doesn’t. */
  readonly differences?: Differences;
  readonly status?: 200 | 201;
  readonly turn?: FastifyContextConfig['turn'];
  readonly limit?: FastifyContextConfig['limit'];
}

interface Access {
  readonly scope?: ApiScope | readonly ApiScope[];
  /** A caller of this kind needs no access token; `anyone` needs one for some inputs. */
  readonly caller?: 'anyone' | 'client';
  /** A part may have a scheme of its own instead of a token. */
  readonly orBy?: string;
  readonly mayCall?: preValidationAsyncHookHandler;
  readonly apiVersion?: ApiVersion;
  readonly goneIn?: FastifyContextConfig['goneIn'];
}

const errorsOfAll = {
  400: 'Invalid request; `details` names each invalid field.',
  default: 'Any other error, in the same shape: 413, 415, 500, and 503 with Retry-After.',
} as const;
const errorsOfTokens = {
  401: 'Missing or invalid access token.',
  403: 'Insufficient scope, or the user isn’t allowed to do this.',
  429: 'Too many requests; Retry-After says when to go on.',
} as const;
const errorsOfCallers = {
  anyone: {
    401: 'The access token is invalid.',
    429: 'Too many requests, with this access or from this network.',
  },
  client: {
    401: 'Unknown client or wrong secret.',
    403: 'The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform.',
    429: 'Too many requests, or wrong secrets.',
  },
} as const;

/** Operations share their errors: making a schema takes longer than all else of a route. */
const describedErrors = new Map<string, typeof apiError>();

function describeError(meaning: string): typeof apiError {
  const described = describedErrors.get(meaning) ?? apiError.describe(meaning);
  describedErrors.set(meaning, described);
  return described;
}

/** Registers operations of callers whose access is known; they share a limit. */
export function operationsPlugin(name: string, limit: RouteLimit, plugin: ScopedPlugin): ScopedPlugin {
  return scopedPlugin(name, ['principals', 'api-versions'], limit, plugin);
}

/** Returns route options: documentation, required scope and version of a family's operations. */
export function operationsOf(
  family: Family,
  { scope, caller, orBy, mayCall, apiVersion = family.version, goneIn }: Access,
) {
  const checks = mayCall === undefined ? [scope ?? []].flat().map((one) => requireScope(one)) : [mayCall];
  const common = {
    ...errorsOfAll,
    ...(caller === undefined ? {} : errorsOfCallers[caller]),
    ...(scope === undefined ? {} : errorsOfTokens),
  };
  const config = { family, apiVersion, ...(goneIn && { goneIn }), ...(scope === undefined ? {} : { scope }) };
  const access = checks.length === 0 ? {} : { preValidation: checks };
  return <Success extends z.ZodType, Given extends Operation>(
    operationId: string,
    summary: string,
    success: Success,
    { description, errors, differences, status = 200, turn, limit, ...inputs }: Given,
  ) => {
    const faults = Object.entries({ ...common, ...errors }).map(
      ([code, meaning]) => [code, describeError(meaning)] as const,
    );
    const succeeded = success.describe(status === 201 ? 'Created.' : 'Success.');
    const schema = {
      ...inputs,
      operationId,
      summary,
      ...(description === undefined ? {} : { description }),
      security: securityOf(scope, caller, orBy),
      response: { ...Object.fromEntries(faults), [status]: succeeded },
    };
    const ofOperation = {
      ...(turn && { turn }),
      ...(limit && { limit }),
      ...(differences && { differences }),
    };
    return { ...access, config: { ...config, ...ofOperation }, schema };
  };
}

function securityOf(
  scope: Access['scope'],
  caller: Access['caller'],
  orBy: string | undefined,
): Record<string, string[]>[] {
  if (caller === 'client')
    return [{ clientBasic: [] }, { clientSecret: [] }, { clientId: [], clientSecret: [] }];
  const token = [{ oauth2: [scope ?? []].flat() }, { accessToken: [] }];
  if (orBy !== undefined) return [...token, { [orBy]: [] }];
  return caller === 'anyone' ? [{}, ...token] : token;
}

const headerName = 'cal-api-version';

/** Operations of a version share its header, since making a schema takes longer than a route. */
const headersOf = new Map<ApiVersion, z.ZodObject>();

/** What is no version is refused before other faults, which may be right in the version meant. */
export const versionsPlugin = fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const { apiVersion: version, goneIn, differences = {} } = route.config ?? {};
      if (version === undefined) return;
      const sent = route.schema?.headers;
      const examples = [version];
      const meta = {
        description: `Any version of Cal.com’s. The response is in version ${version}.`,
        examples,
      };
      const shared = headersOf.get(version) ?? z.object({ [headerName]: z.iso.date().optional().meta(meta) });
      headersOf.set(version, shared);
      const headers = sent instanceof z.ZodObject ? shared.extend(sent.shape) : shared;
      const paragraphs = [route.schema?.description, describeDifferences(differences)].filter(Boolean);
      route.schema = {
        ...route.schema,
        headers,
        ...(paragraphs.length === 0 ? {} : { description: paragraphs.join('\n\n') }),
      };
      route.onRequest = [...[route.onRequest ?? []].flat(), nameVersion(version)];
      route.preValidation = [...[route.preValidation ?? []].flat(), rejectUnsupported(goneIn, differences)];
    });
  },
  { name: 'api-versions' },
);

function nameVersion(version: ApiVersion): onRequestHookHandler {
  return (_request, reply, done) => {
    reply.header(headerName, version);
    done();
  };
}

/**
 * Refuses what is no version, and Cal.com's fields that would change what is made (contract §8).
 */
function rejectUnsupported(
  [goneIn, words = '']: FastifyContextConfig['goneIn'] | [] = [],
  differences: Differences,
): preValidationHookHandler {
  return (request, reply, done) => {
    const { headers, body, query } = request;
    const sent = headers[headerName];
    const isVersion = sent === undefined || z.iso.date().safeParse(sent).success;
    const faults = {
      ...findRefusedFields(differences, query),
      ...findRefusedFields(differences, body),
    };
    if (sent !== undefined && sent === goneIn) sendApiError(reply, 'NotFound', words);
    else if (!isVersion) sendInputFaults(reply, { [headerName]: 'Send a date, such as 2024-08-13.' });
    else if (Object.keys(faults).length > 0)
      sendInputFaults(reply, { ...faultsBySchema(request), ...faults });
    else done();
  };
}

function faultsBySchema(request: FastifyRequest): Readonly<Record<string, string>> {
  const { params, query, body } = request;
  const inputs = { params, query, body };
  const invalid = (['params', 'query', 'body'] as const).map((part) => {
    const checked: unknown = request.getValidationFunction(part)?.(inputs[part]);
    const error = typeof checked === 'object' && checked !== null && 'error' in checked && checked.error;
    return error instanceof InvalidInput ? error.details : {};
  });
  return Object.assign({}, ...invalid);
}

export type RefusalWords = readonly [ApiErrorCode, message: string, field?: string];

export function sendRefusalWords(reply: FastifyReply, [code, message, field]: RefusalWords): FastifyReply {
  if (field !== undefined) return sendInputFaults(reply, { [field]: message });
  return sendApiError(reply, code, message);
}
