import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';

/** A folder that the first who asks in this run fills, in any worker, while others wait; it goes with the run. */
export async function fillOncePerRun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const place = join(inject('runFolder'), name);
  const [folder, done] = [join(place, 'filled'), join(place, 'done')];
  while (!(await succeeds(stat(done)))) {
    if (!(await succeeds(mkdir(place)))) {
      await sleep(50);
      continue;
    }
    try {
      await fill(folder);
      await writeFile(done, '');
    } catch (error) {
      await rm(place, { recursive: true, force: true });
      throw error;
    }
  }
  return folder;
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
