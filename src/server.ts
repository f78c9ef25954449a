import { ConfigFault, readConfig } from './config.ts';
import { DataDirectoryInUse } from './io/data-directory.ts';
import { createLog } from './io/log.ts';
import { openLatchkey } from './latchkey.ts';

/** How long requests in flight may take after a signal, before the process ends all the same. */
const graceMs = 9000;

/** Runs the process until a signal comes, or a fault that keeps it from starting. */
async function main(): Promise<void> {
  // What this process writes, the embedded database included, is its owner's alone.
  process.umask(0o077);
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), graceMs).unref();
    stopping.abort();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const service = await openLatchkey(config, { log, signal: stopping.signal });
  try {
    if (!stopping.signal.aborted) {
      const listenTextResolver = (address: string) => `Latchkey listens on ${address}; open ${config.appUrl}`;
      await service.app.listen({ host: config.host, port: config.port, listenTextResolver });
      await aborted(stopping.signal);
    }
  } finally {
    await service.close();
  }
  log.info('stopped');
  // A mail server that hangs keeps a socket open, and would keep the process.
  process.exit(0);
}

async function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (!signal.aborted) await promise;
}

main().catch((error: unknown) => {
  if (error instanceof Error && error.name === 'AbortError') return;
  const isExplained = error instanceof ConfigFault || error instanceof DataDirectoryInUse;
  process.stderr.write(`${isExplained ? error.message : `Latchkey cannot start: ${explain(error)}`}\n`);
  process.exit(1);
});

/** A fault in words, without the statement or the address that it may quote. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  const innermost = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in innermost && typeof innermost.code === 'string' ? ` (${innermost.code})` : '';
  return `${innermost.message}${code}`;
}
