import { type Logger, pino } from 'pino';

/** The process's log: one JSON object a line on standard output. */
export function createLog(level: string): Logger {
  return pino({ level, serializers: { err: describeFault } });
}

/**
 * A fault as the log may hold it: what kind, where, and the innermost message. A failed statement's
 * text and parameters stay out, and so do the values that PostgreSQL puts into `detail`, because
 * either may hold people's data.
 */
export function describeFault(fault: unknown): Readonly<Record<string, unknown>> {
  if (!(fault instanceof Error)) return { type: typeof fault };
  const innermost = fault.cause instanceof Error ? fault.cause : fault;
  const code = 'code' in innermost ? innermost.code : undefined;
  const message = 'query' in fault && innermost === fault ? 'a statement failed' : innermost.message;
  const frames = (fault.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: innermost.name, code, message, stack: frames.join('\n') };
}
