import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TestService } from './service.ts';
import type { TestUser } from './world.ts';

/** What a part's tests hand to those of the whole, in `tests/<part>/kit.ts`. */
export interface Kit {
  /** Adds a row of each kind that the part can have stored for a person, at that time. */
  fill?(service: TestService, user: TestUser, createdAt: Date): Promise<void>;
  /** Adds what has failed; the addresses of its pages. */
  fail?(service: TestService, user: TestUser): Promise<Readonly<Record<string, string>>>;
}

/** Those of the parts that are in the tree, by name. */
export async function loadKits(): Promise<ReadonlyMap<string, Kit>> {
  const files = globSync('*/kit.ts', { cwd: join(import.meta.dirname, '..') }).toSorted();
  const loaded = files.map(async (file): Promise<readonly [string, Kit]> => {
    const { kit }: { readonly kit: Kit } = await import(join(import.meta.dirname, '..', file));
    return [basename(dirname(file)), kit];
  });
  return new Map(await Promise.all(loaded));
}
