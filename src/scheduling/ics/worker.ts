import { parentPort } from 'node:worker_threads';
import { readBusyTimes } from './busy-times.ts';
import { IcsFault } from './fault.ts';
import type { IcsAnswer, IcsTask } from './reader.ts';

const answer = (words: IcsAnswer): void => parentPort?.postMessage(words);

const maxZones = 5;

/** Parses untrusted files in a thread, which can be ended at any time. */
parentPort?.on('message', (task: IcsTask) => {
  try {
    const unknownZones = new Set<string>();
    const busy = readBusyTimes(task, unknownZones);
    answer({ busy, unknownZones: [...unknownZones].slice(0, maxZones).map((name) => name.slice(0, 100)) });
  } catch (error) {
    answer(
      error instanceof IcsFault ? { reason: error.reason, ...error.place } : { reason: 'not_a_calendar' },
    );
  }
});
answer('ready');
