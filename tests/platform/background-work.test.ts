import { expect, test, vi } from 'vitest';
import { openTestDatabase } from '../support/database.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { createTestClock, openTestService } from '../support/service.ts';

const minuteMs = 60_000;

test('the work of each minute survives a database that is away, and goes on when it is back (security C46)', async () => {
  const database = await openTestDatabase();
  const line = await layDatabaseLine(database.url);
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const service = await openTestService(
    {},
    createTestClock(),
    Promise.resolve({ ...database, url: line.url }),
    { cleanupEveryMs: minuteMs },
  );
  await line.cut();

  vi.advanceTimersByTime(minuteMs);
  await expect.poll(service.logText).toContain('deleted accounts were not finished');
  await line.mend();
  service.takeStatements();
  await expect
    .poll(
      () => {
        vi.advanceTimersByTime(minuteMs);
        return service.takeStatements().join('\n');
      },
      { interval: 200 },
    )
    .toContain('delete from "client_secrets"');
  vi.useRealTimers();

  expect(service.logText()).toContain('unfinished work did not go on');
});
