import type { LightMyRequestResponse } from 'fastify';
import type { TestService } from './service.ts';

let addresses = 0;

/** From an address of its own each time, because so many from one are too many. */
export function anyAddress(): string {
  addresses += 1;
  return `10.1.${addresses >> 8}.${addresses & 255}`;
}

export interface Visit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
}

/** Opens a page with this query. */
export async function openWith(
  { app }: TestService,
  path: string,
  query: Readonly<Record<string, string>> = {},
  { headers = {} }: Visit = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    url: Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`,
    headers,
  });
}

/** Sends a form as a browser does, over http or https. */
export async function send(
  { app }: TestService,
  url: string,
  fields: Readonly<Record<string, string>>,
  { headers = {}, remoteAddress = anyAddress() }: Visit = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url,
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
}
