import { destination, type Logger, pino } from 'pino';

export function createLog(level: string): Logger {
  return pino({ level, serializers: { err: describeFault } }, linesTogether());
}

/** Each write costs as much as a small answer, so a turn's lines are one write. */
function linesTogether() {
  const output = destination({ sync: true });
  let lines = '';
  const flush = (): void => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  return {
    write(line: string): void {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
    /** Pino calls this after a fatal line. */
    flushSync: flush,
  };
}

/** Explains a fault without the statement or address that it may quote. */
export function explainFault(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown fault';
  const innermost = fault.cause instanceof Error ? fault.cause : fault;
  const { message } = innermost;
  const code = 'code' in innermost && typeof innermost.code === 'string' ? innermost.code : '';
  return message.includes(code) ? message : `${message} (${code})`;
}

/** Leaves out a statement's text, parameters and `detail`, which may hold personal data. */
export function describeFault(fault: unknown): Readonly<Record<string, unknown>> {
  if (!(fault instanceof Error)) return { type: typeof fault };
  const innermost = fault.cause instanceof Error ? fault.cause : fault;
  const code = 'code' in innermost ? innermost.code : undefined;
  const message = 'query' in fault && innermost === fault ? 'a statement failed' : innermost.message;
  const frames = (fault.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: innermost.name, code, message, stack: frames.join('\n') };
}
