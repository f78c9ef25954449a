import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../src/platform/data-directory.ts';
import { makeFolder, onPostgres } from '../start/server-process.ts';
import { openEmptyDatabase } from '../support/database.ts';
import { startMailServer } from '../support/mail-server.ts';
import { prepareDataDirectory } from '../support/prepared-directory.ts';
import { queryRows } from '../support/query-rows.ts';
import { openTestService } from '../support/service.ts';
import { runHere, runLatchkey } from './command.ts';

const patient = { timeout: 90_000 } as const;
const service = await openTestService();
const environment = onPostgres(service.database.url);

/** `check: status`, in order, and what doctor says of each check. */
async function examine(variables: Readonly<Record<string, string>>, run = runHere) {
  const { code, output } = await run(['doctor', '--json'], variables);
  const rows: { check: string; status: string; says: string }[] = JSON.parse(output);
  const said = Object.fromEntries(rows.map(({ check, says }) => [check, says]));
  return { code, said, found: Object.fromEntries(rows.map(({ check, status }) => [check, status])), output };
}

test('doctor finds a whole installation whole', patient, async () => {
  const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const mail = await startMailServer({ credentials: { user: 'latchkey', password: 'secret' } });
  onTestFinished(mail.close);

  const variables = {
    ...environment,
    APP_URL: address,
    SMTP_URL: mail.smtpUrl.replace('//', '//latchkey:secret@'),
    MAIL_FROM: 'no-reply@cal.example',
  };
  const { code, found, said } = await examine(variables, runLatchkey);

  expect(found).toEqual({
    settings: 'ok',
    SECRET: 'ok',
    APP_URL: 'ok',
    'public address': 'warning',
    'time zones': 'ok',
    proxies: 'ok',
    database: 'ok',
    writing: 'ok',
    encoding: 'ok',
    clock: 'ok',
    connections: 'ok',
    JIT: 'ok',
    statistics: 'ok',
    TLS: 'ok',
    'free space': 'ok',
    PARTS: 'ok',
    parts: 'ok',
    migrations: 'ok',
    'signing keys': 'ok',
    mail: 'ok',
  });
  expect(code).toBe(0);
  expect(said['clock']).toMatch(/^The clocks differ by -?\d+ ms\.$/);
  expect(mail.received).toEqual([]);
});

test('doctor says when other PARTS serve than it has', patient, async () => {
  const { found, said } = await examine({ ...environment, PARTS: '-mcp' });

  expect(found['PARTS']).toBe('warning');
  expect(said['PARTS']).toMatch(/^Not all instances serve mcp, /);
});

test('doctor says when a proxy refuses a long state (contract §3)', patient, async () => {
  const proxy = createServer(({ url = '' }, answer) => {
    answer.writeHead(url.length > 4096 ? 414 : 200, { 'x-request-id': 'x' }).end();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  const { said } = await examine({ ...environment, APP_URL: `http://127.0.0.1:${port}` });

  expect(said['APP_URL']).toBe('It leads to Latchkey.');
  expect(said['proxies']).toMatch(/^A state of 4,096 characters gets 414\./);
});

test('doctor names every fault, what to do, and no secret', patient, async () => {
  const mail = await startMailServer({ credentials: { user: 'latchkey', password: 'secret' } });
  onTestFinished(mail.close);

  const { code, found, said, output } = await examine({
    ...environment,
    SECRET: 'of-mine-0123456789abcdefghijklmnopqrstuv,of-mine-9876543210abcdefghijklmnopqrstuv',
    APP_URL: 'https://app.invalid',
    API_URL: 'https://api.invalid',
    SMTP_URL: mail.smtpUrl.replace('//', '//latchkey:of-mine@'),
    MAIL_FROM: 'no-reply@cal.example',
    ORG_HOST: 'org.invalid',
  });

  expect(code).toBe(1);
  expect(found).toMatchObject({
    SECRET: 'warning',
    APP_URL: 'warning',
    API_URL: 'warning',
    'public address': 'ok',
    'time zones': 'ok',
    proxies: 'warning',
    'signing keys': 'fault',
    mail: 'fault',
    ORG_HOST: 'fault',
  });
  expect(said['mail']).toContain('SMTP_URL');
  expect(said['proxies']).toContain('TRUSTED_PROXIES');
  expect(said['ORG_HOST']).toContain('wildcard DNS record');
  expect(output).not.toContain('of-mine');
});

test('a database that is away, or not migrated, hides nothing else', patient, async () => {
  const empty = await openEmptyDatabase();
  onTestFinished(empty.close);

  const away = await examine(onPostgres('postgres://latchkey:of-mine@no-such-host.invalid/x'));
  const unmigrated = await examine(onPostgres(empty.url));

  expect(away.found).toMatchObject({ SECRET: 'ok', database: 'fault', mail: 'warning' });
  expect(away.output).not.toContain('of-mine');
  expect(away.said['database']).toMatch(/[^.]\. Check DATABASE_URL and that PostgreSQL runs\.$/);
  expect(unmigrated).toMatchObject({
    code: 1,
    said: { migrations: expect.stringContaining('latchkey-server migrate') },
  });
});

test('doctor warns of a JIT that is on behind a pooler (security C240)', patient, async () => {
  const { found, said } = await examine({ ...environment, DATABASE_POOLER: 'session' });

  expect(found).toMatchObject({ database: 'ok', JIT: 'warning' });
  expect(said['JIT']).toContain('ALTER ROLE');
});

test('doctor warns of large tables without statistics, as they are after a restore', patient, async () => {
  const names = `insert into former_names select 'user', 'n' || n, 1, now() from generate_series(1, 40000) n`;
  await queryRows(service.database.url, names);
  // A restore builds indexes last, and each counts the rows of its table.
  await queryRows(service.database.url, 'create index restored on former_names (name)');

  expect((await examine(environment)).said['statistics']).toContain('ANALYZE');
  await queryRows(service.database.url, 'analyze');
  expect((await examine(environment)).found['statistics']).toBe('ok');
});

test('doctor looks into the embedded database, and at its disk', patient, async () => {
  const folder = await makeFolder();
  await prepareDataDirectory(`${folder}/data`);

  const { code, found, said } = await examine({ DATA_DIR: `${folder}/data` });

  expect(code).toBe(0);
  expect(found).toMatchObject({ database: 'warning', migrations: 'ok' });
  expect(said['free space']).toMatch(/^\d+ MB are free/);

  const holder = openDataDirectory(`${folder}/data`);
  onTestFinished(holder.release);
  const inUse = await examine({ DATA_DIR: `${folder}/data` });
  expect(inUse.said['database']).toMatch(/is in use by another process .* Stop the service first\.$/);
});

test('doctor says what is missing before the first start', patient, async () => {
  const folder = await makeFolder();

  const fresh = await examine({ DATA_DIR: `${folder}/data` });
  await prepareDataDirectory(`${folder}/data`);
  const prepared = await examine({ DATA_DIR: `${folder}/data` });

  expect(fresh).toMatchObject({ code: 1, found: { database: 'fault' } });
  expect(fresh.said['database']).toBe(
    'There is no database in DATA_DIR yet. Start Latchkey, or set DATABASE_URL.',
  );
  expect(prepared.said['signing keys']).toBe('There are none yet; a start makes them.');
});

test('doctor says how the connection to the mail server failed', patient, async () => {
  const { said } = await examine({
    ...environment,
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@cal.example',
  });

  expect(said['mail']).toBe('Unusable (ESOCKET, ECONNREFUSED). Check SMTP_URL and firewalls.');
});
