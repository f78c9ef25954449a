import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundle } from '../../build.ts';
import { openTestDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';
import { startLineProcess } from './line-process.ts';

const database = await openTestDatabase();
afterAll(database.close);
/** Below the repository, where the bundle finds the packages that are not in it. */
const folder = join(import.meta.dirname, '../../node_modules/.cache/recovery-test');

const program = join(folder, 'load.js');
beforeAll(() => bundle(folder, { load: 'tests/platform/database-load-process.ts' }));

/** Ends every connection of the service, as a restart of the server does. */
async function terminateConnections(): Promise<void> {
  await queryRows(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'latchkey'`,
  );
}

test.for(['statements', 'transactions'])(
  'an instance busy with %s survives when its connections are ended again and again, and comes back by itself (security C46)',
  async (kind) => {
    const instance = await startLineProcess(program);
    onTestFinished(instance.kill);
    await instance.ask(`${kind} ${database.url}`);

    for (let round = 0; round < 20; round += 1) {
      await sleep(50);
      await terminateConnections();
    }

    expect(JSON.parse(await instance.ask('end'))).toEqual({
      answeredLately: true,
      otherFaults: [],
      unsettled: 0,
    });
  },
);
