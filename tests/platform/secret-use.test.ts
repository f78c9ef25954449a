import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { clientSecrets } from '../../src/oauth/tables.ts';
import { startLastUse } from '../../src/platform/last-use/writer.ts';
import { withoutTable } from '../support/database-faults.ts';
import { secretsOf } from '../support/registration.ts';
import { addOnPage, openOwned, tryOut } from '../support/secrets.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, type TestClient } from '../support/world.ts';

const service = await openTestService();
const { id: key, lastUsedAt } = clientSecrets;
const silent = pino({ level: 'silent' });
const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 12, minute));

async function secretIdOf({ id }: TestClient): Promise<string> {
  const [row] = await secretsOf(service, id);
  return row?.id ?? 'none';
}

async function lastUseOf(secretId: string): Promise<Date | null | undefined> {
  const [row] = await service.database.db.select().from(clientSecrets).where(eq(clientSecrets.id, secretId));
  return row?.lastUsedAt;
}

function startUse() {
  const use = startLastUse({ db: service.database.db, log: silent }, { key, lastUsedAt }, 'client secrets');
  onTestFinished(use.stop);
  return use;
}

test('the secret that an app uses is noted, not the other one, and its owner sees when (contract §2)', async () => {
  const owned = await openOwned(service);
  const added = await addOnPage(service, owned);
  const instance = await openAnotherInstance(service);
  service.clock.advance(3600);
  const usedAt = service.clock.now();
  expect(await tryOut(instance, owned.clientId, added)).toBe('works');
  expect(await tryOut(instance, owned.clientId, `${owned.secret}x`)).toBe('401 invalid_client');

  await instance.close();

  const rows = await secretsOf(service, owned.clientId);
  expect(rows.map(({ hint, lastUsedAt }) => [hint, lastUsedAt]).toSorted()).toEqual(
    [
      [owned.secret.slice(-4), null],
      [added.slice(-4), usedAt],
    ].toSorted(),
  );
  const page = await service.app.inject({ url: owned.path, headers: { cookie: owned.cookie } });
  expect(page.body).toContain(`<time datetime="${usedAt.toISOString()}">`);
  expect(page.body).toContain('>Never<');
});

test('a token request itself writes nothing of it (architecture §2)', async () => {
  const client = await addClient(service);
  service.takeStatements();

  await tryOut(service, client.id, client.secret ?? '');

  expect(service.takeStatements()).toHaveLength(1);
  expect(await lastUseOf(await secretIdOf(client))).toBeNull();
});

test('many uses are one statement', async () => {
  const clients = await Promise.all(Array.from({ length: 3 }, () => addClient(service)));
  const ids = await Promise.all(clients.map(secretIdOf));
  const use = startUse();
  for (const minute of [1, 2, 3]) for (const id of ids) use.note(id, at(minute));
  service.database.statements.splice(0);

  await use.flush();
  await use.flush();

  expect(service.database.statements.splice(0)).toHaveLength(1);
  expect(await Promise.all(ids.map(lastUseOf))).toEqual([at(3), at(3), at(3)]);
});

test('the last use only moves forward, whichever instance writes last', async () => {
  const id = await secretIdOf(await addClient(service));
  const [first, second] = [startUse(), startUse()];
  first.note(id, at(5));
  first.note(id, at(4));
  second.note(id, at(3));

  await first.flush();
  await second.flush();

  expect(await lastUseOf(id)).toEqual(at(5));
});

test('a write that fails is tried again, and loses no later use', async () => {
  const id = await secretIdOf(await addClient(service));
  const use = startUse();
  use.note(id, at(1));

  await withoutTable(service.database, 'client_secrets', async () => {
    await use.flush();
    use.note(id, at(2));
    await use.flush();
  });
  expect(await lastUseOf(id)).toBeNull();
  await use.flush();

  expect(await lastUseOf(id)).toEqual(at(2));
});

test('a write that hangs slows no token request, and holds the end up for a moment only', async () => {
  const client = await addClient(service);
  const id = await secretIdOf(client);
  const use = startLastUse({ db: service.database.db, log: silent }, { key, lastUsedAt }, 'client secrets');
  use.note(id, at(1));

  await service.database.db.transaction(async (held) => {
    await held.select().from(clientSecrets).where(eq(clientSecrets.id, id)).for('update');
    // It would wait until the lock is let go, which comes after it.
    await use.stop();

    expect(await tryOut(service, client.id, client.secret ?? '')).toBe('works');
  });
});

test('no more than ten thousand secrets are remembered between two writes', async () => {
  const known = await secretIdOf(await addClient(service));
  const oneTooMany = await secretIdOf(await addClient(service));
  const use = startUse();
  use.note(known, at(1));
  for (let count = 1; count < 10_000; count += 1) use.note(randomUUID(), at(1));
  use.note(oneTooMany, at(2));
  use.note(known, at(2));

  await use.flush();

  expect(await lastUseOf(known)).toEqual(at(2));
  expect(await lastUseOf(oneTooMany)).toBeNull();
});
