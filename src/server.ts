import { ConfigFault, readConfig } from './config.ts';
import { DataDirectoryInUse } from './io/data-directory.ts';
import { createLog } from './io/log.ts';
import { openService } from './service.ts';

/** How long requests in flight may take after a signal, before the process ends all the same. */
const graceMs = 9000;

/** Starts the process; it ends by a signal, or at once when it cannot start. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const service = await openService(config, { log });
  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), graceMs).unref();
    service.close().then(
      () => log.info('stopped'),
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        process.exitCode = 1;
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    await service.app.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) => `Latchkey listens on ${address}; open ${config.appUrl}`,
    });
  } catch (error) {
    await service.close();
    throw error;
  }
}

main().catch((error: unknown) => {
  const isExplained = error instanceof ConfigFault || error instanceof DataDirectoryInUse;
  process.stderr.write(`${isExplained ? error.message : `Latchkey cannot start: ${explain(error)}`}\n`);
  process.exit(1);
});

/** A start-up fault in words, without the statement or the address that it may quote. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  const innermost = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in innermost && typeof innermost.code === 'string' ? ` (${innermost.code})` : '';
  return `${innermost.message}${code}`;
}
