import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Instance, shiftedBy, startInstance } from '../start/server-process.ts';
import type { Cluster } from '../support/cluster.ts';
import type { TestDatabase } from '../support/database.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { openHealthProxy } from '../support/health-proxy.ts';
import { queryRows } from '../support/query-rows.ts';

/** Two instances behind a proxy that checks their health, and a line to their database. */
export async function openSurroundings(cluster: Cluster, database: TestDatabase) {
  const line = await layDatabaseLine(database.url);
  const usual = { CODE_TTL_SECONDS: '600', SHUTDOWN_DELAY_SECONDS: '2', TRUSTED_PROXIES: '127.0.0.1' };
  const start = (environment = {}): Promise<Instance> =>
    startInstance(line.url, { ...usual, ...environment });
  const instances = await Promise.all([start(), start()]);
  const proxy = await openHealthProxy(instances);
  const replaceBy = (old: Instance, fresh: Instance): void => {
    proxy.add(fresh);
    proxy.remove(old);
    instances.splice(instances.indexOf(old), 1, fresh);
  };
  let restarting: Promise<unknown> = Promise.resolve();
  return {
    cluster,
    line,
    proxy,
    instances,
    /** Both instances come back as soon as they can. */
    killBoth(): void {
      const killed = [...instances];
      for (const { server } of killed) server.signal('SIGKILL');
      restarting = Promise.all(killed.map(async (old) => replaceBy(old, await start())));
    },
    restarted: () => restarting,
    /** One after the other: a fresh one comes before the old one is told to stop. */
    async roll(...environments: readonly Readonly<Record<string, string>>[]): Promise<void> {
      for (const [index, old] of [...instances].entries()) {
        const fresh = await start(environments[index]);
        proxy.add(fresh);
        old.server.signal('SIGTERM');
        await old.server.ended;
        replaceBy(old, fresh);
      }
    },
  };
}

export type Surroundings = Awaited<ReturnType<typeof openSurroundings>>;

const run = promisify(execFile);
/** Longer than clients, proxies and statements wait. */
const pauseMs = 8000;

async function paused(ids: readonly number[]): Promise<void> {
  for (const id of ids) process.kill(id, 'SIGSTOP');
  await sleep(pauseMs);
  for (const id of ids) process.kill(id, 'SIGCONT');
}

/** Each resolves when its cause is over; what was killed is started again meanwhile. */
export const faults: Readonly<Record<string, (around: Surroundings, round: number) => Promise<unknown>>> = {
  'kill -9 of both instances': async ({ killBoth }) => killBoth(),
  /**
   * Every second round kills one of PostgreSQL's processes, after which it ends the others; the rest kill
   * all.
   */
  async 'kill -9 of PostgreSQL'({ cluster }, round) {
    const ids = cluster.processIds();
    for (const id of round % 2 === 0 ? ids : ids.slice(-1)) process.kill(id, 'SIGKILL');
  },
  async 'connections cut'({ line, proxy }) {
    for (let cuts = 0; cuts < 10; cuts += 1) {
      await line.cut();
      proxy.cut();
      await line.mend();
      await sleep(200);
    }
  },
  'connections silent': async ({ line }) => line.silence(),
  'an instance paused for 8 s': ({ instances }, round) =>
    paused(instances.slice(round % 2, (round % 2) + 1).map(({ server }) => server.id)),
  'PostgreSQL paused for 8 s': ({ cluster }) => paused(cluster.processIds()),
  async 'disk full'({ cluster }) {
    const file = join(cluster.folder, 'filler');
    const fill = ['-c', 'head -c 1G /dev/zero >>"$0"', file];
    // Again and again: what PostgreSQL frees meanwhile goes, too, and its log wants more.
    for (let times = 0; times < 10; times += 1) {
      await run('/bin/sh', fill).catch(() => {});
      await queryRows(`${cluster.address}/postgres`, 'select pg_switch_wal()').catch(() => {});
      await sleep(300);
    }
    rmSync(file);
  },
  async 'read-only'({ cluster }) {
    const ask = (statement: string) => queryRows(`${cluster.address}/postgres`, statement);
    const set = async (value: string): Promise<void> => {
      await ask(`alter system set default_transaction_read_only = ${value}`);
      await ask('select pg_reload_conf()');
    };
    await set('on');
    await sleep(3000);
    await set('off');
  },
  async 'clocks 5 minutes fast and slow'({ roll }) {
    await roll(shiftedBy(300), shiftedBy(-300));
    await sleep(3000);
    await roll();
  },
  'rolling restart': ({ roll }) => roll(),
};
