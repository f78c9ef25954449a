import { z } from 'zod';
import { PermissionEnded, type Tokens } from './connection.ts';

export interface ApiAccess {
  readonly apiUrl: string;
  readonly tokens: Tokens;
}

/** `code` is the API's stable word for why it refused. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code, message }: { readonly code: string; readonly message: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A `cal-api-version` keeps newer versions from surprising this app. */
export const versions = { eventTypes: '2024-06-14', bookings: '2024-08-13', slots: '2024-09-04' } as const;

export interface ApiCall {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly version?: string;
  /** With a body the call is a POST. */
  readonly body?: object;
  readonly idempotencyKey?: string;
}

const success = z.object({ data: z.unknown() });
const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const timeoutMs = 10_000;

/** Checks that the answer is what this app expects. @throws PermissionEnded, ApiRefusal */
export async function callApi<Schema extends z.ZodType>(
  { apiUrl, tokens }: ApiAccess,
  { path, query = {}, version, body, idempotencyKey }: ApiCall,
  schema: Schema,
): Promise<z.output<Schema>> {
  const address = new URL(`/v2${path}`, apiUrl);
  address.search = new URLSearchParams(query).toString();
  const headers = new Headers({ authorization: `Bearer ${tokens.accessToken}` });
  if (version !== undefined) headers.set('cal-api-version', version);
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const answer = await fetch(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (answer.status === 401) throw new PermissionEnded();
  const content: unknown = await answer.json();
  if (!answer.ok) throw new ApiRefusal(answer.status, refusal.parse(content).error);
  return schema.parse(success.parse(content).data);
}
