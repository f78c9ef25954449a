import { parentPort } from 'node:worker_threads';
import { z } from 'zod/mini';
import { readBusyTimes } from './ics.ts';
import { TooCostly } from './ics-recurrence.ts';

const task = z.object({
  texts: z.array(z.string()),
  range: z.object({ start: z.number(), end: z.number() }),
  timeZone: z.string(),
  addresses: z.optional(z.array(z.string())),
  own: z.optional(z.array(z.string())),
});

/** Parses untrusted files in a thread, which can be ended at any time. */
parentPort?.on('message', (message: unknown) => {
  const known = task.parse(message);
  try {
    parentPort?.postMessage({ busy: readBusyTimes(known) });
  } catch (error) {
    // The message may contain text of the file.
    parentPort?.postMessage({ reason: error instanceof TooCostly ? 'too_costly' : 'not_a_calendar' });
  }
});
parentPort?.postMessage('ready');
