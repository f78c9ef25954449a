import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './feed-server.ts';

export interface ReceivedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The text is as it was sent. */
  readonly text: string;
  readonly triggerEvent: string;
  readonly createdAt: string;
  readonly payload: { readonly uid?: string; readonly [field: string]: unknown };
}

type EventAnswer = (response: ServerResponse, event: ReceivedEvent) => void;

/** A real HTTP server of 127.0.0.1 that takes events. */
export async function startSubscriber() {
  /** In the order in which they came. */
  const events: ReceivedEvent[] = [];
  const answers = new Map<string, EventAnswer>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const path = request.url ?? '';
      const event = { path, headers: request.headers, text, ...JSON.parse(text) };
      events.push(event);
      const how = answers.get(path);
      if (how === undefined) response.writeHead(200).end();
      else how(response, event);
    });
  });
  const port = await listenOnLoopback(server);
  return {
    /** Where events go; each path can be told how to answer. */
    address: (path = '/') => `http://127.0.0.1:${port}${path}`,
    /** The path gets this answer from now on; others get 200. */
    answer: (path: string, how: EventAnswer) => void answers.set(path, how),
    events,
  };
}
