import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { optionalParts } from '../../src/parts.ts';
import { copyDoor, doorFolders } from './copy.ts';

/** `tests/parts/door.ts`: all of the door's tests, in a copy without any optional part. */
const copy = await copyDoor(optionalParts);
try {
  const { status } = spawnSync(
    join(copy.folder, 'node_modules/.bin/vitest'),
    ['run', ...doorFolders.map((name) => `tests/${name}/`), ...process.argv.slice(2)],
    { cwd: copy.folder, stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  await copy.remove();
}
