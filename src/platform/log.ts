import { type DestinationStream, destination, type LogFn, type Logger, pino } from 'pino';
import { count } from './metrics/counters.ts';

/** A person at a terminal reads sentences, and a program that collects the log reads JSON. */
export function createLog(level: string, terminal?: { write(text: string): unknown }): Logger {
  if (terminal === undefined) return logTo(level, linesTo(1));
  return logTo(level, { write: (line) => void terminal.write(readable(line)) });
}

/** What a command says stays alone on standard output. */
export const createCommandLog = (): Logger => logTo('info', linesTo(2));

const logTo = (level: string, lines: DestinationStream): Logger =>
  pino({ level, serializers: { err: describeFault }, hooks: { logMethod } }, lines);

/** A line without words of its own would have those of its error, as they are. */
function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const fault: unknown = args.length === 1 ? (Object(args[0]).err ?? args[0]) : undefined;
  method.apply(this, fault instanceof Error ? [args[0], explainFault(fault)] : args);
}

function readable(line: string): string {
  const { time, level, pid, hostname, msg, ...facts }: Readonly<Record<string, unknown>> = JSON.parse(line);
  const at = new Date(Number(time)).toTimeString().slice(0, 8);
  const label = pino.levels.labels[Number(level)] ?? '';
  const more = Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`;
  return `${at} ${label.padEnd(5)} ${String(msg)}${more}\n`;
}

/** A log that can't be written keeps so much, which is written when there is room again. */
const maxKeptBytes = 1024 * 1024;

/** Lines of a tenth of a second are one write, which costs as much as one of a line. */
function linesTo(descriptor: 1 | 2) {
  const output = destination({
    dest: descriptor,
    sync: true,
    minLength: 4096,
    periodicFlush: 100,
    maxLength: maxKeptBytes,
  });
  let isTold = false;
  // A full disk of the log must end neither the service nor its start.
  output.on('error', (error) => {
    // A reader that has gone away wants no lines, and standard error mostly goes the same way.
    if (!isTold && Object(error).code !== 'EPIPE')
      process.stderr.write(`The log can't be written: ${explainFault(error)}. The service goes on.\n`);
    isTold = true;
  });
  // Both are often one file: what says that it is full can't be written, either.
  process.stderr.on('error', () => {});
  output.on('drop', (text: string) => count('log_lines_lost', '', text.split('\n').length - 1));
  const flush = () => output.flush();
  process.on('exit', flush);
  // Its own `flushSync`, which pino calls after a fatal line, tries a full disk for ever.
  return { write: (line: string) => void output.write(line), flushSync: flush };
}

/** The query of an address that a message quotes may hold a code. */
const withoutQueries = (message: string): string => message.replace(/\?[^\s"'()]+/g, '?…'); // protects: C25

/** Explains a fault without the statement or address that it may quote. */
export function explainFault(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown fault';
  const innermost = fault.cause instanceof Error ? fault.cause : fault;
  const message = withoutQueries(innermost.message);
  const code = 'code' in innermost && typeof innermost.code === 'string' ? innermost.code : '';
  return message.includes(code) ? message : `${message} (${code})`;
}

/** Leaves out a statement's text, parameters and `detail`, which may hold personal data. */
export function describeFault(fault: unknown): Readonly<Record<string, unknown>> {
  if (!(fault instanceof Error)) return { type: typeof fault };
  const innermost = fault.cause instanceof Error ? fault.cause : fault;
  const code = 'code' in innermost ? innermost.code : undefined;
  const message =
    'query' in fault && innermost === fault ? 'a statement failed' : withoutQueries(innermost.message);
  const frames = (fault.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: innermost.name, code, message, stack: frames.join('\n') };
}
