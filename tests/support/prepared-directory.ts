import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../../src/platform/open-database.ts';
import { fillOncePerRun } from './once-per-run.ts';

/**
 * Puts an empty, migrated embedded database into a data directory, as an earlier start would have
 * left it: a new one takes seconds to make.
 */
export async function prepareDataDirectory(directory: string): Promise<void> {
  const prepared = await fillOncePerRun('embedded', async (folder) => (await openEmbedded(folder)).close());
  await cp(join(prepared, 'database'), join(directory, 'database'), { recursive: true });
}
