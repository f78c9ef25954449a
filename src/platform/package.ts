import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The bundle lies at another depth than the sources, so the folder is searched upward. */
export const packageFolder: string = findPackageFolder(import.meta.dirname);

/** The version of `package.json`, which the image has, too. */
export const version: string = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version;

function findPackageFolder(start: string): string {
  if (existsSync(join(start, 'package.json'))) return start;
  const parent = dirname(start);
  if (parent === start) throw new Error('no package.json above the program');
  return findPackageFolder(parent);
}
