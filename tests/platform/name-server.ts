import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { atTheEnd } from '../support/at-the-end.ts';

export interface NameServer {
  /** Resolvers take an address with a port. */
  readonly address: string;
  /** The names of the questions that came, without repetitions. */
  readonly asked: ReadonlySet<string>;
}

/** DNS over UDP on a free port of 127.0.0.1: silent about names that have no IPv4 addresses here. */
export async function startNameServer(
  names: Readonly<Record<string, readonly string[]>>,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked = new Set<string>();
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.add(name);
    const addresses = names[name];
    if (addresses === undefined) return;
    const found = type === 1 ? addresses : [];
    const header = Buffer.from(query.subarray(0, 12));
    // An answer, recursively found; the question, so many answers, and nothing else.
    for (const [index, value] of [0x8180, 1, found.length, 0, 0].entries())
      header.writeUInt16BE(value, 2 + 2 * index);
    const records = found.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  atTheEnd(async () => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

/** RFC 1035 §4.1.2; `end` is where the question ends. */
function readQuestion(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
