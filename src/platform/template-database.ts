import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { packageFolder } from './package.ts';

/** The build puts the template beside the program. */
export const templateName = 'database.tgz';
export const templateInPackages = join(
  packageFolder,
  'node_modules/@electric-sql/pglite-prepopulatedfs/dist/prepopulatedfs.tgz',
);

/** Unpacks an empty cluster into the folder: PGlite would need 600 MB to make one. */
export async function unpackTemplate(folder: string): Promise<void> {
  const beside = join(import.meta.dirname, templateName);
  const archive = createReadStream(existsSync(beside) ? beside : templateInPackages);
  await pipeline(archive, createGunzip(), unpackTar(folder, { dmode: 0o700, fmode: 0o600 }));
}
