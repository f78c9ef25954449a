import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder with package.json, `migrations` and `views`: the nearest one above this module. It is
 * looked for instead of counted in `..`, because the bundle stands in another depth than the
 * sources.
 */
export const packageFolder: string = findPackageFolder(import.meta.dirname);

function findPackageFolder(start: string): string {
  if (existsSync(join(start, 'package.json'))) return start;
  const parent = dirname(start);
  if (parent === start) throw new Error('no package.json above the program');
  return findPackageFolder(parent);
}
