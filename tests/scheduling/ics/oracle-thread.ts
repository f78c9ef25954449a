import { parentPort } from 'node:worker_threads';
import { busyTimesByIcal } from './oracle.ts';

/** A thread can be ended where a rule keeps ical.js busy for ever. */
parentPort?.on('message', ({ text, range, timeZone }) => {
  try {
    parentPort?.postMessage({ busy: busyTimesByIcal(text, range, timeZone) });
  } catch (error) {
    parentPort?.postMessage({ message: error instanceof Error ? error.message : 'cannot be read' });
  }
});
