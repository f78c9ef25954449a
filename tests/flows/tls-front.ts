import { once } from 'node:events';
import { connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { createCertificate } from '../support/certificate.ts';

export interface TlsFront {
  close(): Promise<void>;
}

/** What stands before the service in production: it speaks TLS for `host` on `port`, and plain http to the service. */
export async function startTlsFront(host: string, port: number, servicePort: number): Promise<TlsFront> {
  const open = new Set<TLSSocket>();
  const server = createServer(createCertificate(host), (outside) => {
    const inside = connect(servicePort, '127.0.0.1');
    open.add(outside);
    outside.on('error', () => inside.destroy()).on('close', () => open.delete(outside));
    inside.on('error', () => outside.destroy());
    outside.pipe(inside).pipe(outside);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
