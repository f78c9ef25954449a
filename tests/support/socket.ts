import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestService } from './service.ts';

/** Lets the service listen on a free port of 127.0.0.1; files that share it find it listening. */
export async function listen({ app }: TestService): Promise<number> {
  const address = app.server.address();
  if (typeof address === 'object' && address !== null) return address.port;
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

/** A request as it stands on the wire, with `Connection: close`. */
export function writeRequest(
  line: string,
  headers: readonly (readonly [name: string, value: string])[],
  body: string = '',
): string {
  const all = [
    ['Host', 'localhost'],
    ['Connection', 'close'],
    ...(body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))]]),
    ...headers,
  ];
  return `${line} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** Opens a connection and writes a request; the caller reads the answer or cuts the line. */
export async function openRequest(port: number, request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

/** Sends a request byte for byte and reads the whole answer; the head is its status line and headers, as they came. */
export async function sendRaw(port: number, request: string) {
  const socket = await openRequest(port, request);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body };
}
