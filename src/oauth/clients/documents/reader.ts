import { type Outbound, OutboundError, type OutboundFailure } from '../../../platform/outbound.ts';
import type { Runtime } from '../../../platform/runtime.ts';
import { ok, type Result, refuse } from '../../../result.ts';
import type { TypedValues } from '../edits/change.ts';
import { type DocumentFault, readDocument } from './document.ts';

export interface ClientDocument {
  readonly values: TypedValues;
  /** When to read it again. */
  readonly expiresAt: Date;
}

export type ReadingFault = DocumentFault | OutboundFailure | 'not_found';

export type ReadClientDocument = (url: string) => Promise<Result<ClientDocument, ReadingFault>>;

declare module '../../../platform/platform.ts' {
  interface Platform {
    readonly readClientDocument: ReadClientDocument;
  }
}

/** The most that the draft recommends (section 6.6). */
const maxBytes = 5 * 1024;
const usualDeadlineMs = 5000;
/** More are refused, not queued: nobody waits behind hosts that answer slowly. */
const maxAtOnce = 8;

const minute = 60;
/** Of what a server says, between these; where it says nothing, an hour (draft, section 4.3). */
const cacheSeconds = { min: 5 * minute, usual: 60 * minute, max: 24 * 60 * minute } as const;

/** Errors aren't cached, redirects aren't followed (draft, section 4). One address is read once. */
export function createDocumentReader(
  outbound: Outbound,
  runtime: Pick<Runtime, 'now'>,
  deadlineMs = usualDeadlineMs,
): ReadClientDocument {
  const underWay = new Map<string, ReturnType<ReadClientDocument>>();
  const read: ReadClientDocument = async (url) => {
    try {
      const { status, headers, text } = await outbound.fetch(url, {
        headers: { accept: 'application/json' },
        redirect: 'manual',
        maxBytes,
        signal: AbortSignal.timeout(deadlineMs),
      });
      if (status !== 200) return refuse('not_found', String(status));
      if (!isJson(headers.get('content-type') ?? '')) return refuse('not_json', 'another content type');
      const document = readDocument(url, text);
      if (!document.ok) return document;
      const now = runtime.now();
      const expiresAt = new Date(now.getTime() + freshSeconds(headers, now) * 1000);
      return ok({ values: document.value, expiresAt });
    } catch (error) {
      if (error instanceof OutboundError) return refuse(error.reason);
      throw error;
    }
  };
  return async (url) => {
    const known = underWay.get(url);
    if (known !== undefined) return known;
    if (underWay.size >= maxAtOnce) return refuse('busy');
    const reading = read(url).finally(() => underWay.delete(url));
    underWay.set(url, reading);
    return reading;
  };
}

const isJson = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);

/** RFC 9111 §5.2.2, §5.3. */
function freshSeconds(headers: Headers, now: Date): number {
  const control = headers.get('cache-control') ?? '';
  const [, maxAge] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(control) ?? [];
  const expires = Date.parse(headers.get('expires') ?? '');
  const until = Number.isNaN(expires) ? cacheSeconds.usual : (expires - now.getTime()) / 1000;
  const said = /no-(?:store|cache)/i.test(control) ? 0 : maxAge === undefined ? until : Number(maxAge);
  return Math.min(Math.max(said, cacheSeconds.min), cacheSeconds.max);
}
