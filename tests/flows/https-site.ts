import { once } from 'node:events';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { createCertificate } from '../support/certificate.ts';
import { findFreePort } from '../support/free-port.ts';

export interface HttpsSite {
  readonly origin: string;
  /** Paths with queries, in order, the icon's left out. */
  readonly visits: readonly string[];
  /** The forms that were posted, with the origin that each came from. */
  readonly forms: readonly { readonly origin: string | undefined; readonly fields: URLSearchParams }[];
  close(): Promise<void>;
}

/**
 * A stranger's https site at `host`, which the test browser finds on this machine. Every address answers with a page, or leads on to
 * `next` where that is given.
 */
export async function startHttpsSite(host: string, next?: string): Promise<HttpsSite> {
  const port = await findFreePort();
  const visits: string[] = [];
  const forms: HttpsSite['forms'][number][] = [];
  const server = createServer(createCertificate(host), async (request, response) => {
    visits.push(request.url ?? '');
    const { origin } = request.headers;
    if (request.method === 'POST') forms.push({ origin, fields: new URLSearchParams(await text(request)) });
    if (next !== undefined) return response.writeHead(302, { location: next }).end();
    response.writeHead(200, { 'content-type': 'text/html' });
    return response.end(
      '<!doctype html><html lang="en"><title>Arrived</title><link rel="icon" href="data:,"><h1>Arrived</h1>',
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `https://${host}:${port}`,
    visits,
    forms,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
