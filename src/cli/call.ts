import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import type { Variables } from '../environment.ts';
import { grantEndings } from '../oauth/review/store.ts';
import { loadParts } from '../parts.ts';
import { type AuditContext, systemContext } from '../platform/audit/context.ts';
import { openRootSecret } from '../platform/data-directory.ts';
import type { Db } from '../platform/database.ts';
import {
  type Database,
  findPendingMigrations,
  openEmbedded,
  openPostgres,
} from '../platform/open-database.ts';
import { version } from '../platform/package.ts';
import type { Platform } from '../platform/platform.ts';
import { nodeRuntime } from '../platform/runtime.ts';

export interface Command {
  readonly usage: string;
  readonly does: string;
  readonly run: (call: Call) => Promise<CallAnswer>;
}

export interface Call {
  readonly environment: Variables;
  readonly word: string;
  /** Returns an option's value, trimmed; empty without it. */
  text(option: string): string;
  has(option: string): boolean;
  /** Throws Refused unless the operator agrees, or did so with --yes. */
  confirm(question: string): Promise<void>;
}

/** Rows become a table, or JSON with --json; the note goes to standard error. */
export type CallAnswer =
  | string
  | { readonly json: unknown }
  | { readonly rows: Rows; readonly note?: string | undefined; readonly code?: number };

export type Rows = readonly Readonly<Record<string, string | number | boolean | Date | null | undefined>>[];

export class Refused extends Error {}
export class UsageFault extends Error {}

/** Commands get what stores need; nothing runs in the background. */
export interface Tools
  extends Pick<Platform, 'config' | 'db' | 'runtime' | 'secrets' | 'grants' | 'parts'>,
    AsyncDisposable {
  readonly by: AuditContext;
}

export async function openTools({ environment }: Call): Promise<Tools> {
  const config = readConfig(environment);
  await using opened = new AsyncDisposableStack();
  const { db } = opened.adopt(await openDatabase(config), (it) => it.close());
  const pending = await describePending(db);
  if (pending !== undefined) throw new Refused(pending);
  const secrets = await openRootSecret(config);
  const by = systemContext(nodeRuntime.now());
  const parts = await loadParts(config.parts);
  const kept = opened.move();
  return {
    config,
    db,
    runtime: nodeRuntime,
    secrets,
    grants: grantEndings(parts),
    parts,
    by,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Says by version what the database lacks, and what to do. */
export async function describePending(db: Db): Promise<string | undefined> {
  const { pending, version: from = 'no version' } = await findPendingMigrations(db);
  if (pending.length === 0) return undefined;
  return `The database is of ${from}, and lacks ${pending.length} migrations of ${version}. Run: latchkey-server migrate`;
}

/** Doesn't migrate PostgreSQL, since another version may be at work there. */
export async function openDatabase({ storage }: Config): Promise<Database> {
  // An operator can wait longer than a request, for many rows to be counted or read.
  const options = { maxConnections: 2, limitMs: 30_000, migrates: false } as const;
  if (storage.kind === 'postgres') return openPostgres(storage.url, { ...options, pooler: storage.pooler });
  if (!existsSync(join(storage.directory, 'database')))
    throw new Refused('There is no database in DATA_DIR yet. Start Latchkey, or set DATABASE_URL.');
  return openEmbedded(storage.directory);
}
