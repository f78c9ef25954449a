import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { atTheEnd } from './at-the-end.ts';

export type FeedAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** On a free port of 127.0.0.1, which it answers; closed at the end. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atTheEnd(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** A real HTTP server on a free port of 127.0.0.1. */
export async function startFeedServer() {
  const answers = new Map<string, FeedAnswer>();
  /** What was asked for, in order: path, and headers in lower case. */
  const requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
  // Connections that nobody uses are left to the other side.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    requests,
    /** The address of a path that answers so from now on. */
    serve(path: string, answer: FeedAnswer): string {
      answers.set(path, answer);
      return `http://127.0.0.1:${port}${path}`;
    },
  };
}

/** An iCalendar file of these entries. */
export function icsOf(...entries: readonly (readonly string[])[]): string {
  const events = entries.flatMap((lines, index) => [
    'BEGIN:VEVENT',
    ...(lines.some((line) => line.startsWith('UID')) ? [] : [`UID:entry-${index}`]),
    'DTSTAMP:20300101T000000Z',
    ...lines,
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...events, 'END:VCALENDAR', ''].join('\r\n');
}

/** Answers with a calendar, as most servers do. */
export function answerIcs(text: string): FeedAnswer {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(text);
  };
}

/** Thousands of occurrences, for each of which thousands of changes are looked at: many seconds. */
export const endlessIcs = icsOf(
  ['UID:x', 'DTSTART:20200101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY'],
  ...Array.from({ length: 14_000 }, (_, index) => [
    'UID:x',
    `RECURRENCE-ID;RANGE=THISANDFUTURE:2099010${1 + (index % 9)}T${String(100_000 + index).slice(0, 2)}0000Z`,
    'STATUS:CANCELLED',
  ]),
);
