import { parentPort } from 'node:worker_threads';
import { z } from 'zod/mini';
import { readBusyTimes } from './ics.ts';

const task = z.object({
  texts: z.array(z.string()),
  range: z.object({ start: z.number(), end: z.number() }),
  timeZone: z.string(),
});

/** A thread of its own for files that strangers wrote: whatever they do to the parser, it can be ended, and nothing waits for it. */
parentPort?.on('message', (message: unknown) => {
  const { texts, range, timeZone } = task.parse(message);
  try {
    parentPort?.postMessage(readBusyTimes(texts, range, timeZone));
  } catch {
    // The parser's words may hold what the file says.
    parentPort?.postMessage(undefined);
  }
});
parentPort?.postMessage('ready');
