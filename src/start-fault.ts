import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, ConfigFault } from './config.ts';
import { DataDirectoryFault, DataDirectoryInUse } from './platform/data-directory.ts';
import { explainFault } from './platform/log.ts';

/** Throws what listening would throw, before anything that takes time was done. */
export async function probePorts({
  host,
  port,
  metrics,
}: Pick<Config, 'host' | 'port' | 'metrics'>): Promise<void> {
  for (const address of [{ host, port }, ...(metrics === undefined ? [] : [metrics])]) {
    const server = createServer().listen(address);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  }
}

/** Says in a sentence why a start failed, and what to do. Names settings, never their values. */
export function explainStartFault(error: unknown, env: NodeJS.ProcessEnv): string {
  const isOurs = [ConfigFault, DataDirectoryFault, DataDirectoryInUse].some((kind) => error instanceof kind);
  if (isOurs) return Object(error).message;
  const { code = '', syscall = '', address, hostname, port }: ListenFault = Object(error);
  const says = `Latchkey cannot start: ${explainFault(error)}`;
  if (/^(3D000|28\w{3})$/.test(codeOf(error)))
    return `${says}. Check the database, the user and the password in DATABASE_URL.`;
  if (!['listen', 'getaddrinfo'].includes(syscall)) return says;
  const isOfMetrics = env['METRICS_PORT'] === String(port);
  const setting = isOfMetrics ? 'METRICS_PORT' : 'PORT';
  if (code === 'EADDRINUSE') return `Another program uses ${address}:${port}. Set ${setting}.`;
  if (code === 'EACCES') return `This user may not listen on port ${port}. Set ${setting} to 1024 or more.`;
  const host = env['METRICS_HOST'] === (address ?? hostname) ? 'METRICS_HOST' : 'HOST';
  return `${host} is no address of this machine (${code}). Take 127.0.0.1, or 0.0.0.0 for all that it has.`;
}

interface ListenFault extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

function codeOf(error: unknown): string {
  const { code, cause } = Object(error);
  return String(cause?.code ?? code);
}
