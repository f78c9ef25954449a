// The whole file is the public surface of `latchkey/node`.

import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Makes a listener of Node's own server from a function of web requests. `origin` is the address
 * that clients know: what a request says of itself in `Host` isn't believed.
 */
export function toNode(
  handle: (request: Request) => Promise<Response>,
  origin: string,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    handle(requestOf(incoming, origin)).then(
      (response) => send(response, outgoing),
      () => outgoing.writeHead(500).end(),
    );
  };
}

function requestOf(incoming: IncomingMessage, origin: string): Request {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const headers = new Headers();
  // Pairs as they were sent: Node keeps only the first of some.
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? { body: streamOf(incoming), duplex: 'half' as const } : {};
  // A path of two slashes would be another host.
  return new Request(new URL(origin).origin + url.replace(/^\/*/, '/'), { method, headers, ...body });
}

/** Reads no faster than the body is read. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}
