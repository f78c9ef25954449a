import { lookup as lookUpAddresses } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Agent, buildConnector, errors, fetch as undiciFetch } from 'undici';
import { isPublicAddress } from './public-address.ts';

/** Fit for users and for the log. */
export type OutboundFailure =
  | 'address_not_http'
  | 'address_not_public'
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  | 'too_many_redirects';

/** Holds no address, credential, or word of the server's. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: OutboundFailure;
  constructor(reason: OutboundFailure) {
    super(reason);
    this.reason = reason;
  }
}

export type LookUp = (host: string) => Promise<readonly string[]>;

export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything, redirects too. */
  readonly signal: AbortSignal;
  /** `manual`: a redirect is the answer. */
  readonly redirect?: 'follow' | 'manual';
  /**
   * `Authorization` for an address; asked again for every redirect, so that credentials don't leak.
   */
  readonly authorize?: (address: URL) => string | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** HTTP to addresses that users entered (security C43). */
export interface Outbound {
  /** @throws OutboundError */
  fetch(address: string, request: OutboundRequest): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

export interface OutboundOptions {
  /** By default, those of the public internet. */
  readonly mayConnectTo?: (address: string) => boolean;
  readonly lookUp?: LookUp;
  readonly maxBytes?: number;
}

const maxRedirects = 3;
const maxAddresses = 4;
const usualMaxBytes = 10 * 1024 * 1024;
const connectMs = 4000;

/**
 * The connector resolves a host once, refuses it if any of its addresses is refused, and connects
 * to the very address that it checked: DNS rebinding gains nothing.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { maxBytes = usualMaxBytes } = options;
  const agent = new Agent({
    connect: guardedConnector(options),
    maxResponseSize: maxBytes,
    allowH2: false,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  });
  return {
    fetch: (address, request) => follow(agent, address, request, maxBytes),
    close: () => agent.destroy(),
  };
}

function guardedConnector({
  mayConnectTo = isPublicAddress,
  lookUp = lookUpAll,
}: OutboundOptions): buildConnector.connector {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) === 0 ? lookUp(host) : Promise.resolve([host]);
    const tryFrom = (addresses: readonly string[], index: number): void => {
      connect({ ...target, hostname: addresses[index] ?? '' }, (...result) => {
        const [error] = result;
        if (error !== null && index + 1 < Math.min(addresses.length, maxAddresses))
          tryFrom(addresses, index + 1);
        else callback(...result);
      });
    };
    found.then(
      (addresses) => {
        if (addresses.length === 0) callback(new OutboundError('unreachable'), null);
        else if (!addresses.every(mayConnectTo)) callback(new OutboundError('address_not_public'), null);
        else tryFrom(addresses, 0);
      },
      () => callback(new OutboundError('unreachable'), null),
    );
  };
}

async function lookUpAll(host: string): Promise<readonly string[]> {
  const found = await lookUpAddresses(host, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

async function follow(
  agent: Agent,
  address: string,
  request: OutboundRequest,
  maxBytes: number,
): Promise<OutboundAnswer> {
  let url = readAddress(address);
  let { method = 'GET', body } = request;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const answer = await send(
      agent,
      url,
      { ...request, method, ...(body === undefined ? {} : { body }) },
      maxBytes,
    );
    const location = answer.headers.get('location');
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location !== null;
    if (!isRedirect || request.redirect === 'manual') return answer;
    url = readAddress(location, url);
    // A PROPFIND stays one wherever it is sent, but for 303 (RFC 9110 §15.4.4).
    if (answer.status === 303) [method, body] = ['GET', undefined];
  }
  throw new OutboundError('too_many_redirects');
}

function readAddress(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new OutboundError('address_not_http');
  const url = new URL(text, base);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isHttp || url.username !== '' || url.password !== '') throw new OutboundError('address_not_http');
  return url;
}

async function send(
  agent: Agent,
  url: URL,
  { method = 'GET', headers = {}, body, signal, authorize }: OutboundRequest,
  maxBytes: number,
): Promise<OutboundAnswer> {
  const authorization = authorize?.(url);
  try {
    const response = await undiciFetch(url, {
      method,
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
      redirect: 'manual',
      dispatcher: agent,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    if (Number(response.headers.get('content-length')) > maxBytes) {
      await response.body?.cancel();
      throw new OutboundError('too_large');
    }
    const text = await readText(response.body, maxBytes);
    return { status: response.status, headers: new Headers([...response.headers]), text };
  } catch (error) {
    throw new OutboundError(reasonOf(error, signal));
  }
}

/** Unpacked: a few kilobytes of gzip can stand for gigabytes. */
async function readText(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundError('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown, signal: AbortSignal): OutboundFailure {
  if (signal.aborted) return 'timed_out';
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if (fault instanceof OutboundError) return fault.reason;
    if (fault instanceof errors.ResponseExceededMaxSizeError) return 'too_large';
    if (fault instanceof errors.ConnectTimeoutError || fault instanceof errors.HeadersTimeoutError)
      return 'timed_out';
  }
  return 'unreachable';
}
