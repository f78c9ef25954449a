import { expect, test } from 'vitest';
import { z } from 'zod';
import { tokenStoreTests } from '../../src/oauth/store-test.ts';
import { openEdgeService } from './edge-service.ts';

const promises = Object.keys(
  tokenStoreTests(() => Promise.reject(new Error('not run here')), { restarts: false }),
);

test('the Durable Objects keep what a TokenStore promises (architecture §2)', async () => {
  const edge = await openEdgeService('store-check.ts');

  const answer = await fetch(edge.url);

  const faults = z.record(z.string(), z.string().nullable()).parse(await answer.json());
  expect(Object.entries(faults)).toEqual(promises.map((promise) => [promise, null]));
});
