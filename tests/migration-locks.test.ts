import { describe, expect, test } from 'vitest';
import { lastMigrations, migrationName, readMigrations } from '../src/platform/migrations.ts';

/**
 * What reads or writes a whole table while nobody else can write it, or takes from it what the former release reads. An index has
 * a migration of its own (`platform/migrations`), where it is built beside requests.
 */
const rules: Readonly<Record<string, RegExp>> = {
  'another type rewrites the table': /alter table "?(\w+)"? alter column "?\w+"? (?:set data )?type/i,
  'a default that differs by row rewrites the table':
    /alter table "?(\w+)"? add column .*(?:default[^,]*(?:random|uuid|clock_timestamp|timeofday|nextval)|serial|identity|stored)/i,
  'SET NOT NULL reads the table': /alter table "?(\w+)"? alter column "?\w+"? set not null/i,
  'a constraint reads the table unless it is NOT VALID':
    /alter table "?(\w+)"? add (?:constraint|primary|unique|check|foreign)(?!.*not valid)/i,
  'another expression, place or kind of storage rewrites the table':
    /alter table "?(\w+)"? .*(?:set expression|set tablespace|set (?:un)?logged|set access method)/i,
  'VACUUM FULL, CLUSTER and REINDEX hold the table':
    /^(?:vacuum full|cluster|reindex(?! .*concurrently)).*?"?(\w+)"?$/i,
  'a statement that writes all rows holds them until the migration ends':
    /^(?:with .*)?(?:update|delete from|insert into)(?: only)? "?(\w+)/i,
  'the former release reads what is dropped or renamed':
    /(?:alter|drop) table "?(\w+)"?(?:$|;| drop column| rename)/i,
};

/** Statements as PostgreSQL reads them, on one line. */
const flat = (statement: string): string =>
  statement
    .replaceAll(/^\s*--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

function findFaults(statements: readonly string[]): readonly string[] {
  const lines = statements.map(flat);
  const made = lines.flatMap((line) => /^create table "?(\w+)/i.exec(line)?.[1] ?? []);
  return lines.flatMap((line) =>
    Object.entries(rules).flatMap(([fault, pattern]) => {
      const table = pattern.exec(line)?.[1];
      return table === undefined || made.includes(table) ? [] : [`${table}: ${fault}`];
    }),
  );
}

/** Merged before the rule. Those of 0.1.0, 0036 among them, met rows in no database that a release made. */
const merged: Readonly<Record<string, string>> = {
  '0046_personal_tokens_have_clients_of_their_own':
    'personal tokens came three migrations earlier, so no release has rows of them, or of their clients, grants and webhooks',
};

describe('no migration holds or rewrites a table that grows, or takes away what the former release reads', () => {
  const last = Object.values(lastMigrations).at(0) ?? '';
  const later = readMigrations()
    .map((migration) => ({ name: migrationName(migration), statements: migration.sql }))
    .filter(({ name }) => name > last);

  test.for(later.filter(({ name }) => merged[name] === undefined))('$name', ({ statements }) => {
    expect(findFaults(statements)).toEqual([]);
  });

  test('only migrations that need it are excepted', () => {
    const needed = later
      .filter(({ statements }) => findFaults(statements).length > 0)
      .map(({ name }) => name);

    expect(needed).toEqual(Object.keys(merged));
  });
});

test.for([
  ['ALTER TABLE "bookings" ALTER COLUMN "id" SET DATA TYPE bigint;', 'another type'],
  ['alter table bookings alter column id type bigint', 'another type'],
  ['ALTER TABLE "grants" ADD COLUMN "key" uuid DEFAULT gen_random_uuid() NOT NULL;', 'a default'],
  ['ALTER TABLE "grants" ADD COLUMN "n" bigserial;', 'a default'],
  ['ALTER TABLE "users" ADD COLUMN "n" int GENERATED ALWAYS AS ("id" * 2) STORED;', 'a default'],
  ['ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL;', 'SET NOT NULL'],
  ['ALTER TABLE "users" ADD CONSTRAINT "x" UNIQUE("name");', 'a constraint'],
  ['ALTER TABLE "users" ADD CONSTRAINT "x" FOREIGN KEY ("a") REFERENCES "b"("id");', 'a constraint'],
  ['ALTER TABLE "users" SET UNLOGGED;', 'another expression'],
  ['VACUUM FULL "users"', 'VACUUM FULL'],
  ['-- why\nUPDATE "bookings" SET "next_meeting_at" = now();', 'a statement'],
  ['DELETE FROM "users" WHERE false;', 'a statement'],
  ['ALTER TABLE "event_types" DROP COLUMN "x";', 'the former release'],
  ['ALTER TABLE "event_types" RENAME COLUMN "x" TO "y";', 'the former release'],
  ['DROP TABLE "event_types";', 'the former release'],
] as const)('%s is found', ([statement, words]) => {
  expect(findFaults([statement])).toEqual([expect.stringContaining(`: ${words}`)]);
});

test.for([
  'ALTER TABLE "users" ADD COLUMN "language" text;',
  'ALTER TABLE "calendars" ADD COLUMN "next_check_at" timestamp with time zone DEFAULT now() NOT NULL;',
  'ALTER TABLE "users" ADD CONSTRAINT "x" CHECK ("name" is not null) NOT VALID;',
  'ALTER TABLE "users" VALIDATE CONSTRAINT "x";',
  'CREATE INDEX "x" ON "users" USING btree ("name");',
])('%s is none', (statement) => {
  expect(findFaults([statement])).toEqual([]);
});
