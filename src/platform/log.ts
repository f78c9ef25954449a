import { type Logger, pino } from 'pino';

/** One JSON object per line. */
export function createLog(level: string): Logger {
  return pino({ level, serializers: { err: describeFault } });
}

/** Without a statement's text, parameters and `detail`, which may hold personal data. */
export function describeFault(fault: unknown): Readonly<Record<string, unknown>> {
  if (!(fault instanceof Error)) return { type: typeof fault };
  const innermost = fault.cause instanceof Error ? fault.cause : fault;
  const code = 'code' in innermost ? innermost.code : undefined;
  const message = 'query' in fault && innermost === fault ? 'a statement failed' : innermost.message;
  const frames = (fault.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: innermost.name, code, message, stack: frames.join('\n') };
}
