import { isIP } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { Agent, buildConnector } from 'undici';
import { createLookUp, type LookUp } from './host-names.ts';
import { isPublicAddress } from './public-address.ts';

export type OutboundFailure =
  | 'address_not_http'
  | 'address_not_public'
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  | 'busy'
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

export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The signal ends redirects, too. An OutboundError as its reason is thrown as it is. */
  readonly signal: AbortSignal;
  readonly redirect?: 'follow' | 'manual';
  readonly maxBytes?: number;
  readonly discardsBody?: boolean;
  /** A body that is discarded keeps its beginning, if it is text without an encoding. */
  readonly keptBytes?: number;
  /** Keeps a part of the text, so that `count` learns of that part alone. */
  readonly sieve?: Sieve;
  /** Learns of decompressed bytes as they arrive; may abort the signal. */
  readonly count?: (bytes: number) => void;
  /** Is asked again for every redirect, so that credentials don't leak. */
  readonly authorize?: (address: URL) => string | undefined;
}

export interface Sieve {
  /** Takes the next part, and returns how many bytes more are kept. */
  add(text: string): number;
  /** Returns what was kept. */
  end(): string;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Fetches from addresses that users entered (security C43). */
export interface Outbound {
  fetch(address: string, request: OutboundRequest): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

export interface OutboundOptions {
  readonly mayConnectTo?: (address: string) => boolean;
  readonly lookUp?: LookUp;
}

const maxRedirects = 3;
const maxAddresses = 4;
const usualMaxBytes = 8 * 1024 * 1024;
/** No request asks for more. */
const maxBytesAtAll = 20 * 1024 * 1024;
/** Calendars are compressed to a tenth or a thirtieth; gzip can reach a thousandth. */
const maxRatio = 100;
const bytesBeforeRatio = 64 * 1024;
const connectMs = 4000;
const keepAliveMaxMs = 4000;
/** A longer body costs its connection. */
const discardedBytes = 16 * 1024;

/** Connects to the very address that was checked, so DNS rebinding gains nothing. */
export function createOutbound(options: OutboundOptions): Outbound {
  let opened: Promise<Client> | undefined;
  const closing = new AbortController();
  return {
    async fetch(address, request) {
      opened ??= openClient(options, closing.signal);
      return follow(await opened, address, request);
    },
    close: async () => {
      closing.abort();
      await (await opened)?.agent.destroy();
    },
  };
}

interface Client {
  readonly agent: Agent;
  readonly request: typeof import('undici').request;
}

async function openClient(options: OutboundOptions, closing: AbortSignal): Promise<Client> {
  // Bundled CommonJS that is loaded late has its default export alone.
  const { default: undici } = await import('undici');
  const { Agent, buildConnector, request } = undici;
  const agent = new Agent({
    connect: guardedConnector(buildConnector({ timeout: connectMs, allowH2: false }), options, closing),
    maxResponseSize: maxBytesAtAll,
    allowH2: false,
    keepAliveMaxTimeout: keepAliveMaxMs, // protects: C43
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  });
  return { agent, request };
}

function guardedConnector(
  connect: buildConnector.connector,
  { mayConnectTo = isPublicAddress, lookUp = createLookUp() }: OutboundOptions,
  closing: AbortSignal,
): buildConnector.connector {
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) === 0 ? lookUp(host, closing) : Promise.resolve([host]);
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
        // protects: C43
        else if (!addresses.every(mayConnectTo)) callback(new OutboundError('address_not_public'), null);
        else tryFrom(addresses, 0);
      },
      () => callback(new OutboundError('unreachable'), null),
    );
  };
}

async function follow(client: Client, address: string, request: OutboundRequest): Promise<OutboundAnswer> {
  let url = readAddress(address);
  let { method = 'GET', body } = request;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const answer = await send(client, url, { ...request, method, ...(body === undefined ? {} : { body }) });
    const location = answer.headers.get('location');
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location !== null;
    if (!isRedirect || request.redirect === 'manual') return answer;
    url = readAddress(location, url);
    // A PROPFIND keeps its method through redirects, but for 303 (RFC 9110 §15.4.4).
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

async function send(client: Client, url: URL, request: OutboundRequest): Promise<OutboundAnswer> {
  const { method = 'GET', headers = {}, body, signal, authorize } = request;
  const authorization = authorize?.(url);
  try {
    const asked = client.request(url, {
      method,
      headers: {
        'accept-encoding': 'gzip',
        'user-agent': 'Latchkey',
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
      dispatcher: client.agent,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const response = await endedBy(signal, asked); // protects: C125
    const fields = Object.entries(response.headers).flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    );
    const received = new Headers(fields);
    if (request.discardsBody === true) {
      const { keptBytes = 0 } = request;
      const text = received.has('content-encoding') ? '' : await readStart(response.body, keptBytes);
      if (!response.body.destroyed) await response.body.dump({ limit: discardedBytes, signal });
      return { status: response.statusCode, headers: received, text };
    }
    const text = await readText(response.body, received, request);
    return { status: response.statusCode, headers: received, text };
  } catch (error) {
    throw new OutboundError(reasonOf(error, signal));
  }
}

/** A longer body ends with its connection. */
async function readStart(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  if (most === 0) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  // A character that was cut in the middle is left out, as is what no log should print.
  const text = Buffer.concat(chunks).subarray(0, most).toString('utf8');
  return text.replaceAll(/[^\P{C}\n\t]|\ufffd/gu, '').trim();
}

/** Undici hears the signal only when it has a connection. */
async function endedBy<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason);
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Counts decompressed bytes: a few kilobytes of gzip can stand for gigabytes. */
async function readText(
  body: Readable,
  headers: Headers,
  { maxBytes = usualMaxBytes, count, signal, sieve: given }: OutboundRequest,
): Promise<string> {
  const gunzip = /^(?:x-)?gzip$/i.test(headers.get('content-encoding') ?? '') ? createGunzip() : undefined;
  const content: AsyncIterable<Uint8Array> = gunzip === undefined ? body : pipeline(body, gunzip, () => {});
  const sieve = given ?? keepAll();
  let [size, decoder]: [number, TextDecoder | undefined] = [0, undefined];
  let start = Buffer.alloc(0);
  if (Number(headers.get('content-length')) > maxBytes) body.destroy(new OutboundError('too_large'));
  for await (const chunk of content) {
    size += chunk.length;
    const isBomb = gunzip !== undefined && size > bytesBeforeRatio + gunzip.bytesWritten * maxRatio;
    if (size > maxBytes || isBomb) throw new OutboundError('too_large');
    start = Buffer.concat([start, chunk]);
    if (start.length > 1) decoder ??= decoderOf(start);
    if (decoder === undefined) continue;
    const kept = sieve.add(decoder.decode(start, { stream: true }));
    count?.(given === undefined ? start.length : kept);
    start = Buffer.alloc(0);
    signal.throwIfAborted();
  }
  sieve.add((decoder ?? decoderOf(start)).decode(start));
  return sieve.end();
}

/** UTF-16 says so by its first two bytes; everything else is read as UTF-8. */
function decoderOf(start: Buffer): TextDecoder {
  const mark = start.toString('hex', 0, 2);
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8');
}

function keepAll(): Sieve {
  const parts: string[] = [];
  return {
    add(text) {
      parts.push(text);
      return text.length;
    },
    end: () => parts.join(''),
  };
}

function reasonOf(error: unknown, signal: AbortSignal): OutboundFailure {
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  if (reason instanceof OutboundError) return reason.reason;
  if (signal.aborted) return 'timed_out';
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if (fault instanceof OutboundError) return fault.reason;
    const code = 'code' in fault ? fault.code : undefined;
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'too_large';
    if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') return 'timed_out';
  }
  return 'unreachable';
}
