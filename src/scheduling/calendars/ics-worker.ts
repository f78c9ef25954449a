import { parentPort } from 'node:worker_threads';
import { readBusyTimes } from './ics.ts';
import type { IcsAnswer, IcsTask } from './ics-reader.ts';
import { TooCostly } from './ics-recurrence.ts';

const answer = (words: IcsAnswer): void => parentPort?.postMessage(words);

/** Parses untrusted files in a thread, which can be ended at any time. */
parentPort?.on('message', (task: IcsTask) => {
  try {
    answer({ busy: readBusyTimes(task) });
  } catch (error) {
    // The message may contain text of the file.
    answer({ reason: error instanceof TooCostly ? 'too_costly' : 'not_a_calendar' });
  }
});
answer('ready');
