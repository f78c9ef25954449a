import { pino } from 'pino';
import { expect, test } from 'vitest';
import { claimAndSettle, doWhatIsDue } from '../../src/platform/queue/worker.ts';
import { nodeRuntime } from '../../src/platform/runtime.ts';

const log = pino({ enabled: false });

/** Returns what was tried of twenty things that wait, of which some fail. */
function workOn(isFaulty: (one: number) => boolean) {
  const waiting = Array.from({ length: 20 }, (_, index) => index);
  const tried: number[] = [];
  const work = claimAndSettle(
    { log, runtime: nodeRuntime },
    { what: 'a queue', leaseSeconds: 60, places: 4 },
    async ({ count }) => waiting.splice(0, count),
    async (one) => {
      tried.push(one);
      if (isFaulty(one)) throw new Error('it can be claimed, and not be settled');
    },
  );
  return { work, tried };
}

test('a fault of what settles meets as many things as there are places, and as many at the next look (architecture §3)', async () => {
  const { work, tried } = workOn(() => true);

  await doWhatIsDue([work]);
  const atFirst = tried.length;
  await doWhatIsDue([work]);

  expect([atFirst, tried.length]).toEqual([4, 8]);
});

test('a thing that can’t be settled keeps no others waiting (architecture §3)', async () => {
  const { work, tried } = workOn((one) => one === 0);

  await doWhatIsDue([work]);

  expect(tried).toHaveLength(20);
});
