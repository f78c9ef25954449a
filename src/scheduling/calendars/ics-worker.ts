import { parentPort } from 'node:worker_threads';
import { readBusyTimes } from './ics.ts';
import type { IcsTask } from './ics-reader.ts';
import { TooCostly } from './ics-recurrence.ts';

/** Parses untrusted files in a thread, which can be ended at any time. */
parentPort?.on('message', (task: IcsTask) => {
  try {
    parentPort?.postMessage({ busy: readBusyTimes(task) });
  } catch (error) {
    // The message may contain text of the file.
    parentPort?.postMessage({ reason: error instanceof TooCostly ? 'too_costly' : 'not_a_calendar' });
  }
});
parentPort?.postMessage('ready');
