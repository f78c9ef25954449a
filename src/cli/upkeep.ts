import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { deleteKeys, listKeys, noKeysWords, rotateKeys } from '../oauth/keyring.ts';
import { openRootSecret } from '../platform/data-directory.ts';
import { connectTo } from '../platform/driver.ts';
import { createCommandLog } from '../platform/log.ts';
import { countWaitingEmails, discardUnsent } from '../platform/mail/store.ts';
import { migrate } from '../platform/migrations.ts';
import { openEmbedded, openPostgres } from '../platform/open-database.ts';
import { version } from '../platform/package.ts';
import { nodeRuntime } from '../platform/runtime.ts';
import { type Command, openTools, Refused } from './call.ts';
import { copyAll, tablesWithRows } from './move.ts';

export const upkeepCommands: readonly Command[] = [
  {
    usage: 'migrate',
    does: 'Bring the database to this version, or create it. A start of the service does so, too.',
    async run({ environment }) {
      const { storage } = readConfig(environment);
      const isPostgres = storage.kind === 'postgres';
      const log = createCommandLog();
      const database = await (isPostgres
        ? openPostgres(storage.url, { ...storage, log })
        : openEmbedded(storage.directory, { log }));
      await database.close();
      return `The database has all migrations of ${version}.`;
    },
  },
  {
    usage: 'move [--json]',
    does: 'Copy all of the embedded database in DATA_DIR into the empty PostgreSQL database of DATABASE_URL. Stop the service first.',
    async run({ environment }) {
      const config = readConfig(environment);
      const { storage } = config;
      if (storage.kind !== 'postgres')
        throw new Refused(
          'Set DATABASE_URL to the database that all goes into, and SECRET to that of DATA_DIR.',
        );
      const directory = environment['DATA_DIR'] ?? './data';
      if (!existsSync(join(directory, 'database')))
        throw new Refused(`There is no database in DATA_DIR ${directory}.`);
      await using opened = new AsyncDisposableStack();
      const log = createCommandLog();
      const from = opened.adopt(await openEmbedded(directory, { log }), (it) => it.close());
      const secrets = await openRootSecret(config);
      if (
        !(await listKeys({ db: from.db, runtime: nodeRuntime, secrets })).every(
          ({ isReadable }) => isReadable,
        )
      )
        throw new Refused('SECRET is not that of DATA_DIR. Set it to what is in its file secret.');
      const sql = opened.adopt(connectTo(storage.url, { max: 1, prepare: false }), (it) => it.end());
      const filled = await tablesWithRows(sql);
      if (filled.length > 0)
        throw new Refused(
          `The database of DATABASE_URL isn't empty: ${filled.join(', ')}. Create one for Latchkey alone.`,
        );
      await migrate(storage.url, { log });
      const rows = (await copyAll(from.client, sql)).filter((one) => one.rows > 0);
      await sql`analyze`;
      const total = rows.reduce((sum, one) => sum + one.rows, 0);
      const note = `Moved ${total} rows. Start the service with this DATABASE_URL and SECRET, and keep DATA_DIR as a backup.`;
      return { rows, note };
    },
  },
  {
    usage: 'keys list [--json]',
    does: 'List the keys that sign access tokens (ES256) and ID tokens (RS256, ES256).',
    async run(call) {
      await using tools = await openTools(call);
      const rows = await listKeys(tools);
      return { rows, note: rows.length === 0 && !call.has('json') ? noKeysWords : undefined };
    },
  },
  {
    usage: 'keys rotate [--now] [--yes]',
    does: 'Create the next key of each algorithm: it signs in a day, when everyone has read it; with --now, immediately.',
    async run(call) {
      await using tools = await openTools(call);
      const isNow = call.has('now');
      if (isNow)
        await call.confirm(
          'Until they read the keys again, instances (a minute) and apps that remember them (an hour) refuse new tokens. Go on?',
        );
      const algorithms = (await listKeys(tools)).map(({ algorithm }) => algorithm);
      const said: string[] = [];
      // The first key for RS256 is made where it is first needed.
      for (const algorithm of new Set(['ES256' as const, ...algorithms])) {
        const { id, activeAt } = await rotateKeys(tools, isNow, algorithm);
        said.push(
          isNow
            ? `Key ${id} signs now; running instances take it within a minute.`
            : `Key ${id} signs from ${activeAt.toISOString()}.`,
        );
      }
      return said.join('\n');
    },
  },
  {
    usage: 'keys delete KEY_ID [--yes]',
    does: 'Delete a key that leaked, or all of them: what it signed is void within a minute. KEY_ID can be "all".',
    async run(call) {
      await using tools = await openTools(call);
      const which = call.word === 'all' ? 'all signing keys' : `the signing key ${call.word}`;
      await call.confirm(`Delete ${which}? Access tokens that it signed are void, and apps refresh them.`);
      const count = await deleteKeys(tools, call.word === 'all' ? undefined : call.word);
      if (count === 0) throw new Refused('There is no such key. Run: latchkey-server keys list');
      return `Deleted ${count}; running instances follow within a minute, and make a new key where none is left.`;
    },
  },
  {
    usage: 'emails discard [--yes]',
    does: 'Drop all emails that were not sent yet, as after a restore, or before SMTP_URL is set.',
    async run(call) {
      await using tools = await openTools(call);
      const waiting = await countWaitingEmails(tools.db);
      if (waiting === 0) return 'No email waits.';
      await call.confirm(`Drop ${waiting} emails for good, links to verify addresses among them?`);
      return `Dropped ${await discardUnsent(tools.db, tools.by)} emails.`;
    },
  },
];
