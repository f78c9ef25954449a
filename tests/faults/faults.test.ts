import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { repository } from '../start/server-process.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { startCluster } from '../support/cluster.ts';
import { openTestDatabaseAt } from '../support/database.ts';
import { createTestClock, openTestService } from '../support/service.ts';
import { faults, openSurroundings } from './faults.ts';
import { openLoad } from './load.ts';
import { soak } from './soak.ts';

/** Without `tests/faults/run.ts` or `tests/faults/run.ts --soak`: one round of what is quick. */
const wanted = process.env['FAULTS'] ?? 'kill -9 of both instances';
const asked = wanted === 'all' ? Object.keys(faults) : wanted.split(',');
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const soakMinutes = Number(process.env['SOAK_MINUTES'] ?? 0);
const isRoot = process.getuid?.() === 0;
/** What clients were answered is written, as far as PostgreSQL is concerned: only machines may not fail. */
const settings = { synchronous_commit: 'on', max_wal_size: '64MB', autovacuum: 'on' } as const;
const heading =
  'fault, rounds, requests, acknowledged, 4xx, 503, cut, given up, lost, doubled, false theft, longest recovery (s)';
const nothing = { lost: [], doubled: [], falseThefts: [], stray: [] };
const table: string[][] = [];
const aRoundMs = 60_000;

const ours = startCluster({ settings, restarts: true, ...(isRoot ? { diskMegabytes: 320 } : {}) });
atTheEnd(async () => (await ours).stop());

type Paces = Parameters<typeof openLoad>[1];

async function openWorld(paces: Paces) {
  const { address } = await ours;
  const service = await openTestService({}, createTestClock(new Date()), openTestDatabaseAt(address));
  const load = await openLoad(service, paces);
  await service.close();
  return { service, load };
}

async function openStorm(paces: Paces) {
  const { service, load } = await openWorld(paces);
  const around = await openSurroundings(await ours, service.database);
  await load.fillCodes(600);
  load.start(around.proxy.address);
  await load.recoveryFrom(performance.now(), aRoundMs);
  return { around, load, db: service.database.db };
}

test.each(soakMinutes > 0 ? [] : asked)(
  '%s: nothing acknowledged is lost, doubled or taken for stolen, and every answer is 2xx, a true 4xx, or 503 with Retry-After (contract §4, §8, security C12, C45, C46)',
  { timeout: 60_000 + rounds * 3 * aRoundMs },
  async (name) => {
    const inject = faults[name];
    if (inject === undefined) throw new Error(`the faults are: ${Object.keys(faults).join(', ')}`);
    if (name === 'disk full' && !isRoot)
      return void process.stderr.write('NOT DONE: disk full; it takes root, who can mount a small disk\n');
    const { around, load } = await openStorm({ refresh: [24, 250], exchange: [3, 300], book: [3, 300] });
    const recoveries: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await load.fillCodes(600);
      await sleep(1000);
      await inject(around, round);
      recoveries.push(await load.recoveryFrom(performance.now(), aRoundMs));
      await around.restarted();
    }
    await load.stop();
    await load.audit();
    const { statuses, acknowledged, lost, doubled, falseThefts } = load.ledger;
    const count = (kind: string): number =>
      [...statuses].reduce((sum, [status, times]) => (status.startsWith(kind) ? sum + times : sum), 0);
    const answers = [acknowledged, ...['4', '503', 'cut', 'given up'].map(count)];
    const wrong = [lost, doubled, falseThefts].map(({ length }) => length);
    const figures = [rounds, count(''), ...answers, ...wrong].map(String);
    table.push([name, ...figures, (Math.max(...recoveries) / 1000).toFixed(1)]);
    process.stdout.write(`${name}: ${JSON.stringify([...statuses])}\n`);
    expect(load.ledger).toMatchObject(nothing);
    if (name === 'rolling restart') expect(statuses.has('cut')).toBe(false);
  },
);

test.each(soakMinutes > 0 ? [] : ['the ledger'])(
  '%s sees what is lost, doubled and taken for stolen',
  { timeout: aRoundMs },
  async () => {
    const { load, db } = await openStorm({ refresh: [6, 50], exchange: [1, 50], book: [1, 50] });
    for (let times = 0; times < 3; times += 1) await load.recoveryFrom(performance.now(), aRoundMs);
    await load.stop();
    const grantOf = (type: string) => sql`(select grants.id from grants join clients on clients.id = client_id
      where type = ${type} and generation > 2 order by grants.id limit 1)`;
    const some = sql`${grantOf('public')}, ${grantOf('confidential')}`;
    await db.execute(sql`update grants set generation = generation + 2 where id in (${some})`);
    await db.execute(sql`delete from bookings where id = (select max(id) from bookings)`);
    await db.execute(sql`update booking_hosts set holds = false, (user_id, starts_at) =
      (select user_id, starts_at from booking_hosts order by booking_id limit 1)
      where booking_id = (select max(id) from bookings)`);

    await load.audit();

    const { lost, doubled, falseThefts } = load.ledger;
    expect([lost.length, doubled.length, falseThefts]).toEqual([3, 1, ['refresh_token_theft']]);
  },
);

test.each(soakMinutes > 0 ? ['soak'] : [])('%s', { timeout: soakMinutes * 60_000 + 300_000 }, async () => {
  const { service, load } = await openWorld({
    ...{ refresh: [20, 1500], exchange: [1, 2000], book: [1, 3000] },
    ...{ listSlots: [1, 1000], openConsent: [1, 1000] },
  });
  write('soak', await soak(service.database, load, soakMinutes));
  expect(load.ledger).toMatchObject(nothing);
});

atTheEnd(async () => {
  if (wanted !== 'all' || soakMinutes > 0) return;
  const columns = heading.split(', ');
  write(
    'faults',
    [columns, columns.map(() => '---'), ...table].map((row) => `| ${row.join(' | ')} |`).join('\n'),
  );
});

/** Prints a part of docs/reliability.md, and puts it between its marker lines. */
function write(name: string, text: string): void {
  process.stdout.write(`${text}\n`);
  const path = join(repository, 'docs/reliability.md');
  const [before, , after] = readFileSync(path, 'utf8').split(`<!-- ${name} -->\n`);
  writeFileSync(path, [before, `${text}\n`, after].join(`<!-- ${name} -->\n`));
}
