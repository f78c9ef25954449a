import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * A folder that whichever test asks first fills, in any worker; it goes with the run. Two may fill
 * it at the same time: it appears whole, and the first one stays.
 */
export async function fillOncePerRun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(inject('runFolder'), name);
  if (await exists(folder)) return folder;
  const filling = await mkdtemp(`${folder}-`);
  await fill(filling);
  try {
    await rename(filling, folder);
  } catch (error) {
    if (!(await exists(folder))) throw error;
    await rm(filling, { recursive: true });
  }
  return folder;
}

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}
