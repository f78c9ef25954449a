import { parentPort } from 'node:worker_threads';
import { z } from 'zod/mini';
import { readBusyTimes } from './ics.ts';

const task = z.object({
  texts: z.array(z.string()),
  range: z.object({ start: z.number(), end: z.number() }),
  timeZone: z.string(),
});

/** Parses untrusted files in a thread, which can be ended at any time. */
parentPort?.on('message', (message: unknown) => {
  const { texts, range, timeZone } = task.parse(message);
  try {
    parentPort?.postMessage(readBusyTimes(texts, range, timeZone));
  } catch {
    // The message may contain text of the file.
    parentPort?.postMessage(undefined);
  }
});
parentPort?.postMessage('ready');
