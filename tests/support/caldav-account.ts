import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export interface EntryRequest {
  readonly method: string;
  /** `/work/uid.ics`. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/**
 * Instead of the usual answer; `usual` does what was asked for, and answers with its status or the
 * given one.
 */
type EntryAnswer = (
  response: ServerResponse,
  usual: (status?: number) => void,
  request: EntryRequest,
) => void;

export interface CaldavAccount {
  readonly listener: RequestListener;
  /** Entries get this answer from now on; undefined means the usual one. */
  answer(how: EntryAnswer | undefined): void;
  /** To GET, PUT and DELETE of entries, in order. */
  readonly requests: readonly EntryRequest[];
  /** The key is the entry's path. */
  readonly entries: ReadonlyMap<string, string>;
}

const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`;

const nothing = { text: '', headers: {} } as const;

const multistatus = (hrefs: readonly (readonly [href: string, content: string])[]): string =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${hrefs
    .map(
      ([href, content]) =>
        `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${content}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
    )
    .join('')}</d:multistatus>`;

/** A CalDAV account with these calendars, whose entries can be told to fail, in memory. */
export function createCaldavAccount(calendars: readonly string[] = ['work']): CaldavAccount {
  const entries = new Map<string, string>();
  const requests: EntryRequest[] = [];
  let answer: EntryAnswer | undefined;
  const found = new Map<string, string>([
    [
      '/',
      multistatus([
        [
          '/',
          '<d:current-user-principal><d:href>/</d:href></d:current-user-principal><c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>',
        ],
      ]),
    ],
    [
      '/home/',
      multistatus(
        calendars.map((name) => [
          `/${name}/`,
          '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>',
        ]),
      ),
    ],
  ]);
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      if (method === 'PROPFIND' || method === 'REPORT') {
        const text = found.get(path) ?? multistatus([]);
        response.writeHead(207, { 'content-type': 'application/xml' }).end(text);
        return;
      }
      if (!path.endsWith('.ics')) {
        response.writeHead(404).end();
        return;
      }
      const sent = { method, path, headers };
      requests.push(sent);
      const text = Buffer.concat(chunks).toString('utf8');
      const usual = (status?: number): void => {
        const [own, answered] = store(sent, text);
        response.writeHead(status ?? own, answered.headers).end(answered.text);
      };
      if (answer === undefined) usual();
      else answer(response, usual, sent);
    });
  };

  /** RFC 4791 §5.3.2, with the preconditions of RFC 9110 §13.1. */
  function store({ method, path, headers }: EntryRequest, sent: string) {
    const now = entries.get(path);
    const etag = now === undefined ? undefined : etagOf(now);
    const isMet =
      (headers['if-match'] === undefined || headers['if-match'] === etag) &&
      (headers['if-none-match'] === undefined || now === undefined);
    if (method === 'GET' && now !== undefined)
      return [200, { text: now, headers: { etag: etagOf(now) } }] as const;
    if (method === 'GET') return [404, nothing] as const;
    if (!isMet) return [412, nothing] as const;
    if (method === 'DELETE') return [entries.delete(path) ? 204 : 404, nothing] as const;
    entries.set(path, sent);
    return [201, { text: '', headers: { etag: etagOf(sent) } }] as const;
  }

  return {
    listener,
    answer: (how) => {
      answer = how;
    },
    requests,
    entries,
  };
}
