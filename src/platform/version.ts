import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

/** The version of `package.json`, which the image has, too. */
export const version: string = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version;
