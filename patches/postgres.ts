import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Corrects postgres 3.4.9 (patches/README.md) in bundles and in tests. Each text must occur once. */
const ofConnection: readonly (readonly [original: string, corrected: string])[] = [
  [
    `    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
    `    if (socket === null) {
      queryError(q, Errors.connection('CONNECTION_CLOSED', options))
      return true
    }

    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
  ],
  [
    `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
    `    clearImmediate(nextWriteTimer)
    clearTimeout(answerTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
  ],
  [
    `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
    `    if (initial && initial.cancelled)
      initial = null
    if (initial) {
      query = errorResponse = null
      retries++
      return reconnect()
    }

    retries = 0
    const loss = errorResponse && /^(FATAL|PANIC)$/.test(errorResponse.severity || errorResponse.severity_local)
      ? errorResponse
      : Errors.connection('CONNECTION_CLOSED', options, socket)
    if (query || sent.length) error(loss)
    query = errorResponse = null
`,
  ],
  [
    `    onclose(connection, Errors.connection('CONNECTION_CLOSED', options, socket))`,
    `    onclose(connection, loss)`,
  ],
  [
    `    query = results = errorResponse = null
    result = new Result()
    connectTimer.cancel()`,
    // protects: C68
    `    query = results = errorResponse = null
    result = new Result()
    rows = 0
    connectTimer.cancel()`,
  ],
  [
    `      return write(toBuffer(q))
        && !q.describeFirst
        && !q.cursorFn
        && sent.length < max_pipeline
        && (!q.options.onexecute || q.options.onexecute(connection))`,
    `      clearTimeout(answerTimer)
      if (options.answer_timeout)
        answerTimer = setTimeout(connectTimedOut, options.answer_timeout * 1000)
      write(toBuffer(q))
      q.options.onexecute && q.options.onexecute(connection)
      return Boolean(connection.reserved)
        && !q.options.onexecute
        && !q.describeFirst
        && !q.cursorFn
        && sent.length < max_pipeline`,
  ],
  [
    `  let socket = null
    , cancelMessage`,
    `  let socket = null
    , answerTimer = null
    , cancelMessage`,
  ],
  [
    `  function ReadyForQuery(x) {
`,
    `  function ReadyForQuery(x) {
    clearTimeout(answerTimer)
    if (sent.length && options.answer_timeout)
      answerTimer = setTimeout(connectTimedOut, options.answer_timeout * 1000)
`,
  ],
  [
    `    errored(Errors.connection('CONNECT_TIMEOUT', options, socket))
    socket.destroy()`,
    `    error(Errors.connection('CONNECT_TIMEOUT', options, socket))
    socket.destroy()
    while (queues.open && queues.open.length)
      queues.open.shift().end()`,
  ],
  [
    `      socket.readyState === 'open' && socket.end(b().X().end())`,
    `      socket.readyState === 'open' && (socket.end(b().X().end()), socket.destroySoon())`,
  ],
  [
    `      initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return`,
    `      const first = initial
      options.shared.retries = retries = 0
      initial = null
      if (!first || !first.cancelled)
        return first && !first.reserve && execute(first)`,
  ],
];

const ofQueue: typeof ofConnection = [
  [
    `    shift: () => {
      const out = xs[index++]

      if (index === xs.length) {
        index = 0
        xs = []
      } else {
        xs[index - 1] = undefined
      }

      return out
    }`,
    `    shift: () => xs.shift()`,
  ],
];

const ofTransactions: typeof ofConnection = [
  [
    `      c.reserved = () => queries.length
        ? c.execute(queries.shift())
        : move(c, reserved)`,
    `      c.reserved = () => {
        while (queries.length)
          if (!c.execute(queries.shift()))
            return
        move(c, reserved)
      }`,
  ],
];

const corrections: Readonly<Record<string, typeof ofConnection>> = {
  connection: ofConnection,
  index: ofTransactions,
  queue: ofQueue,
};

export const correctedFile: RegExp = /[\\/]postgres[\\/]src[\\/](connection|index|queue)\.js$/;

/** Corrects one of the driver's files. Throws for another version of the driver. */
export function correctPostgres(source: string, path: string): string {
  const [, name = ''] = correctedFile.exec(path) ?? [];
  return (corrections[name] ?? []).reduce((text, [original, corrected]) => {
    const [before, after, ...more] = text.split(original);
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error('patches/postgres.ts does not fit this version of postgres');
    return before + corrected + after;
  }, source);
}

export const postgresPlugin: Plugin = {
  name: 'postgres corrections',
  setup(build) {
    build.onLoad({ filter: correctedFile }, async ({ path }) => ({
      contents: correctPostgres(await readFile(path, 'utf8'), path),
    }));
  },
};
