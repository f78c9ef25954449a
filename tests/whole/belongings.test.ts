import { getTableColumns, getTableName } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { memberships, users } from '../../src/accounts/tables.ts';
import { loadParts } from '../../src/parts.ts';
import { belongingsOf } from '../../src/platform/parts.ts';
import { allTables } from '../support/tables.ts';

const parts = await loadParts();

const belongings = belongingsOf(parts);
const nameOf = (column: PgColumn): string => `${getTableName(column.table)}.${column.name}`;

/** A column refers to people by a foreign key, also through a membership, or else by its name. */
function columnsOfPeople(table: PgTable): string[] {
  const referring = getTableConfig(table).foreignKeys.flatMap((key) => {
    const { columns, foreignColumns } = key.reference();
    return columns.filter((_, index) => {
      const foreign = foreignColumns[index];
      return foreign === users.id || foreign === memberships.userId;
    });
  });
  const named = Object.entries(getTableColumns(table))
    .filter(([name]) => /(user|owner|actor|inviter|maker|reviewer|person|member)Id$/i.test(name))
    .map(([, column]) => column);
  return [...new Set([...referring, ...named].map(nameOf))];
}

test('every column that refers to an account is on the list that reset, promotion, deletion and export go by (security C201)', () => {
  const found = allTables.filter((table) => table !== users).flatMap(columnsOfPeople);
  const listed = belongings.filter(({ table }) => table !== users).flatMap(({ of }) => of.map(nameOf));

  expect(found.length).toBeGreaterThan(20);
  expect([...found].sort()).toEqual([...listed].sort());
});

test('what a first proof leaves in an account gives others nothing, or goes with what it ends', () => {
  const kept = belongings.filter(({ onProof }) => onProof === undefined);

  expect(kept.map(({ table }) => getTableName(table)).sort()).toEqual([
    ...['audit_events', 'booking_hosts', 'bookings', 'calendar_entries', 'client_events'],
    ...['event_type_hosts', 'event_types', 'former_names', 'groups', 'remembered_consents'],
    ...['schedules', 'users'],
  ]);
});
