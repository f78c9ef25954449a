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

const otherProgram =
  'The database of DATABASE_URL has tables of another program, or of half an attempt: create one for Latchkey alone.';

const databaseAdvice: readonly (readonly [codes: RegExp, words: string])[] = [
  [/^28000$/, 'Check the user in DATABASE_URL; where the server wants TLS, add sslmode=require.'],
  [/^(3D000|28\w{3})$/, 'Check the database, the user and the password in DATABASE_URL.'],
  [
    /^42501$/,
    'The role of DATABASE_URL makes tables: let it own the database, or GRANT CREATE ON DATABASE … and GRANT CREATE ON SCHEMA public to it.',
  ],
  [
    /^08P01$/,
    'Check DATABASE_POOLER. PgBouncer needs a pool_mode of session or transaction: statement has no transactions.',
  ],
  [/^(42P0[17]|42710|42703|42704)$/, otherProgram],
  [/^(22P05|22021)$/, 'The database of DATABASE_URL must have the encoding UTF8.'],
  [
    /CERT|^ERR_TLS|^ERR_OSSL/,
    'Check sslmode and sslrootcert of DATABASE_URL, and that its host is the one in the certificate.',
  ],
];

/** Says in a sentence why a start failed, and what to do. Names settings, never their values. */
export function explainStartFault(error: unknown, env: NodeJS.ProcessEnv): string {
  const isOurs = [ConfigFault, DataDirectoryFault, DataDirectoryInUse].some((kind) => error instanceof kind);
  if (isOurs) return Object(error).message;
  const { code = '', syscall = '', address, hostname, port }: ListenFault = Object(error);
  const says = `Latchkey cannot start: ${explainFault(error)}`;
  const advice = databaseAdvice.find(([codes]) => codes.test(codeOf(error)))?.[1];
  if (advice !== undefined) return `${says}. ${advice}`;
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
