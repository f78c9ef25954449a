import { setFlagsFromString } from 'node:v8';
import closeWithGrace from 'close-with-grace';
import { isFirstAccount } from './accounts/store.ts';
import { readConfig } from './config.ts';
import { openService, type Service } from './open-service.ts';
import { createLog } from './platform/log.ts';
import { version } from './platform/package.ts';
import { explainStartFault, probePorts } from './start-fault.ts';

/** The process ends after so long, SHUTDOWN_DELAY_SECONDS apart, even if the stop isn't done. */
const graceMs = 9000;
const echoMs = 1000;
const watchMs = 500;

async function main(): Promise<void> {
  // Only the owner may read what this process writes, the embedded database included.
  process.umask(0o077);
  const words = process.argv.slice(2);
  if (words.length > 0) {
    const { runCommand } = await import('./cli/run.ts');
    process.exitCode = await runCommand(words, process.env);
    return;
  }
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, process.stdout.isTTY ? process.stdout : undefined);
  log.info(`Latchkey ${version} starts`);
  if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    log.warn('NODE_TLS_REJECT_UNAUTHORIZED is 0: no certificate is verified, that of PostgreSQL included');
  await probePorts(config);
  if (process.env['npm_command'] === 'exec') endWithShell();
  const starting = new AbortController();
  let opening: Promise<Service> | undefined;
  const delayMs = config.shutdownDelaySeconds * 1000;
  closeWithGrace({ delay: delayMs + graceMs, logger: log, skip: ['beforeExit'] }, async ({ signal, err }) => {
    ignoreEchoes();
    if (err === undefined) log.info({ signal }, 'stopping');
    else log.fatal({ err }, 'stopping after an unexpected error');
    starting.abort();
    const service = await opening?.catch(() => undefined);
    await service?.announceStop(err === undefined ? config.shutdownDelaySeconds : 0); // protects: C66
    await service?.close();
    log.info('stopped');
  });
  opening = openService(config, { log, signal: starting.signal });
  const service = await opening;
  if (starting.signal.aborted) return;
  const { host, port, appUrl } = config;
  const listenTextResolver = (address: string) => `Latchkey ${version} listens on ${address}; open ${appUrl}`;
  try {
    await service.app.listen({ host, port, listenTextResolver });
  } catch (error) {
    await service.close();
    throw error;
  }
  // The launcher of build.ts kept the young generation small so far. What a request makes soon ends.
  setFlagsFromString('--semi-space-growth-factor=2');
  if (!process.stdout.isTTY) return;
  const isNew = await isFirstAccount(service.app);
  const next = isNew ? ' and sign up: the first account administers.' : '.';
  process.stdout.write(`\nOpen ${appUrl}${next}\n`);
}

/** The shell that npx starts passes no signal on, so its end is one. */
function endWithShell(): void {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, watchMs).unref();
}

/** A terminal's Ctrl+C reaches npm, too, which passes it on: within a second, it's the same one. */
function ignoreEchoes(): void {
  const handlers = (['SIGINT', 'SIGTERM'] as const).flatMap((name) =>
    process.listeners(name).map((handler) => ({ name, handler })),
  );
  for (const { name, handler } of handlers) process.off(name, handler).on(name, ignore);
  setTimeout(() => {
    for (const { name, handler } of handlers) process.off(name, ignore).on(name, handler);
  }, echoMs).unref();
}

function ignore(): void {}

main().catch((error: unknown) => {
  if (error instanceof Error && error.name === 'AbortError') return;
  process.stderr.write(`${explainStartFault(error, process.env)}\n`);
  process.exit(1);
});
