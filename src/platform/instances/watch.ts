import type { Db } from '../database.ts';
import { findPendingMigrations } from '../open-database.ts';
import { version } from '../package.ts';
import type { Part } from '../parts.ts';
import type { Platform } from '../platform.ts';
import {
  findOtherVersion,
  findUnknownQueues,
  forgetInstance,
  type Kind,
  listServing,
  noteInstance,
} from './store.ts';

export function kindOf(parts: readonly Part[]): Kind {
  const serving = parts.flatMap(({ name, isOff }) => (name === undefined || isOff ? [] : [name]));
  return { version, parts: serving.join() };
}

/** Returns the parts that only some of these have. */
export function differingParts(kinds: readonly Pick<Kind, 'parts'>[]): readonly string[] {
  const lists = kinds.map(({ parts }) => parts.split(',').filter((name) => name !== ''));
  return [...new Set(lists.flat())].filter((name) => !lists.every((list) => list.includes(name)));
}

/** Says what an older version leaves as it is; undefined where all is known. */
export async function describeNewer(db: Db): Promise<string | undefined> {
  const queues = await findUnknownQueues(db);
  const { isNewer } = await findPendingMigrations(db);
  if (!isNewer && queues.length === 0) return undefined;
  const other = await findOtherVersion(db, version);
  const newer = other === undefined ? 'a newer version' : `version ${other}`;
  const waiting = queues.length === 0 ? '' : `; its jobs (${queues.join(', ')}) wait`;
  return `${newer} of Latchkey has used this database, and what ${version} doesn't know stays as it is until that version runs again${waiting}`;
}

/** Says once what another instance serves, and whether a newer version was here. */
export function watchInstances({
  db,
  log,
  parts,
  runtime,
}: Pick<Platform, 'db' | 'log' | 'parts' | 'runtime'>) {
  const own = kindOf(parts);
  const told = new Set<string>();
  const versions = new Set<string>();
  const tell = (words: string): void => {
    if (!told.has(words)) log.warn(words);
    told.add(words);
  };
  return {
    async look(): Promise<void> {
      await noteInstance(db, own, runtime.now());
      const serving = await listServing(db, runtime.now());
      for (const other of serving.filter(({ parts }) => parts !== own.parts))
        tell(`PARTS differ between instances: not all serve ${differingParts([own, other]).join(', ')}`);
      if (serving.every((one) => versions.has(one.version))) return;
      for (const one of serving) versions.add(one.version);
      const newer = await describeNewer(db);
      if (newer !== undefined) tell(newer);
    },
    end: () => forgetInstance(db, own, runtime.now()),
  };
}
