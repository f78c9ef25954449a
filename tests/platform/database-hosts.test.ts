import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { isDatabaseAway } from '../../src/platform/database.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { createCertificate } from '../support/certificate.ts';
import { startCluster } from '../support/cluster.ts';
import { openTestDatabase } from '../support/database.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { findFreePort } from '../support/free-port.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

const database = await openTestDatabase();
atTheEnd(database.close);

const hostOf = (url: string): string => new URL(url).host;

async function open(url: string) {
  const opened = await openPostgres(url, { maxConnections: 3, limitMs: 3000 });
  atTheEnd(opened.close);
  return opened;
}

test('of several hosts, one that is not there is passed over', async () => {
  const url = database.url.replace(hostOf(database.url), `127.0.0.1:1,${hostOf(database.url)}`);

  expect(await (await open(url)).isAlive()).toBe(true);
});

test('when none of several hosts is there, the start is told so, and does not wait forever (security C65)', async () => {
  const nowhere = openPostgres('postgres://postgres@127.0.0.1:1,127.0.0.1:2/none', { limitMs: 3000 });

  await expect(nowhere).rejects.toSatisfy(isDatabaseAway);
});

test('with target_session_attrs=primary the standby is passed over, until it is the primary (contract §1, DATABASE_URL)', {
  timeout: 120_000,
}, async () => {
  const cluster = await startCluster({ hasStandby: true });
  atTheEnd(cluster.stop);
  const standbyUrl = `${cluster.standbyAddress}/postgres`;
  const line = await layDatabaseLine(`${cluster.address}/postgres`);
  const hosts = `${hostOf(standbyUrl)},${hostOf(line.url)}`;
  const { db, isAlive } = await open(`postgres://postgres@${hosts}/postgres?target_session_attrs=primary`);
  const ask = () =>
    Promise.all([1, 2, 3, 4].map(() => db.execute(sql`create temporary table if not exists written ()`)));
  await ask();
  expect(await isAlive()).toBe(true);

  await line.cut();
  await expect(ask()).rejects.toSatisfy(isDatabaseAway);
  expect(await isAlive()).toBe(false);
  const standby = postgres(standbyUrl, { max: 1, onnotice: () => {} });
  // Without a wait: replay may need what this statement's snapshot holds.
  await standby`select pg_promote(wait => false)`;
  await standby.end();

  await expect.poll(isAlive).toBe(true);
  await ask();
});

/** A server that takes TLS alone, with a certificate of its own for a name. */
async function startTlsServer(name: string): Promise<{ readonly url: string; readonly authority: string }> {
  const certificate = createCertificate(name);
  const target = new URL(database.url);
  const server = createServer((outside) => {
    outside.once('data', () => {
      const inside = connect(Number(target.port), target.hostname);
      outside.write('S');
      const secured = new TLSSocket(outside, { isServer: true, ...certificate });
      secured.on('error', () => inside.destroy()).on('close', () => inside.destroy());
      inside.on('error', () => outside.destroy()).on('close', () => outside.destroy());
      secured.pipe(inside).pipe(secured);
    });
    outside.on('error', () => {});
  });
  const port = await findFreePort();
  server.listen(port);
  await once(server, 'listening');
  atTheEnd(async () => void server.close());
  const authority = join(await makeTemporaryDirectory(atTheEnd), 'ca.pem');
  await writeFile(authority, certificate.cert);
  return { url: `postgres://postgres@localhost:${port}${target.pathname}`, authority };
}

test('TLS to the database: verified by its authority and name, or refused (contract §1, DATABASE_URL)', async () => {
  const right = await startTlsServer('localhost');
  const wrong = await startTlsServer('elsewhere.example');
  const rightUrl = `${right.url}?sslmode=verify-full&sslrootcert=${right.authority}`;

  expect(await (await open(rightUrl)).isAlive()).toBe(true);
  expect(await (await open(`${wrong.url}?sslmode=require`)).isAlive()).toBe(true);
  for (const query of [
    `${right.url}?sslmode=verify-full`,
    `${right.url}?sslrootcert=${wrong.authority}`,
    `${wrong.url}?sslmode=verify-full&sslrootcert=${wrong.authority}`,
  ])
    await expect(openPostgres(query)).rejects.toThrow(/certificate/i);
});
