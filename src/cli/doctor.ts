import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { judgements } from '../accounts/admin/setup.ts';
import { type Config, configWarnings, readConfig } from '../config.ts';
import { listKeys, noKeysWords } from '../oauth/keyring.ts';
import { loadParts } from '../parts.ts';
import { brandFaults } from '../platform/brand.ts';
import { DataDirectoryInUse, openRootSecret } from '../platform/data-directory.ts';
import { listServing } from '../platform/instances/store.ts';
import { describeNewer, differingParts, kindOf } from '../platform/instances/watch.ts';
import { explainFault } from '../platform/log.ts';
import { type Database, describeDatabaseServer } from '../platform/open-database.ts';
import { findOrphans } from '../platform/orphans/store.ts';
import { version } from '../platform/package.ts';
import { nodeRuntime } from '../platform/runtime.ts';
import { type Command, describePending, openDatabase } from './call.ts';

type Finding = readonly [check: string, status: 'ok' | 'warning' | 'fault', says: string];

function judge(
  check: string,
  isOk: boolean,
  good: string,
  bad: string,
  status: Finding[1] = 'warning',
): Finding {
  return isOk ? [check, 'ok', good] : [check, status, bad];
}

const answerMs = 5000;
const maxSkewMs = 1000;

export const doctorCommands: readonly Command[] = [
  {
    usage: 'doctor [--json]',
    does: 'Check settings, addresses, database, email and DNS, and say what to do.',
    async run({ environment }) {
      const config = readConfig(environment);
      const found = Object.entries(checks).map(([name, check]) =>
        check(config).catch((error: unknown): Finding[] => [[name, 'fault', advise(name, config, error)]]),
      );
      const rows = (await Promise.all(found))
        .flat()
        .map(([check, status, says]) => ({ check, status, says }));
      return { rows, code: rows.some(({ status }) => status === 'fault') ? 1 : 0 };
    },
  },
];

function advise(name: string, { storage }: Config, error: unknown): string {
  const says = explainFault(error).replace(/\.$/, '');
  if (error instanceof DataDirectoryInUse) return `${says}. Stop the service first.`;
  const isServer = name === 'database' && storage.kind === 'postgres';
  return isServer ? `${says}. Check DATABASE_URL and that PostgreSQL runs.` : explainFault(error);
}

/** A check that fails hides no other. */
const checks: Readonly<Record<string, (config: Config) => Promise<readonly Finding[]>>> = {
  async settings(config) {
    const former = (config.secrets?.length ?? 1) - 1;
    return [
      ['settings', 'ok', 'All are known and valid.'],
      ...configWarnings(config).map((says): Finding => ['settings', 'warning', says]),
      judge('SECRET', former === 0, 'Hard to guess.', `Drop ${former} former after REFRESH_IDLE_DAYS.`),
      ...brandFaults(config.brand).map((says): Finding => ['brand', 'fault', says]),
    ];
  },

  async addresses(config) {
    const { appUrl, apiUrl, trustedProxies } = config;
    const [isPublic, address] = judgements.address(config);
    const isTrusting = !appUrl.startsWith('https:') || trustedProxies.length > 0;
    const api = apiUrl === appUrl ? [] : [await reach('API_URL', apiUrl)];
    return [
      await reach('APP_URL', appUrl),
      ...api,
      judge('public address', isPublic, address, address),
      ['time zones', 'ok', `Node.js has the IANA data of ${process.versions['tz']}.`],
      judge('proxies', isTrusting, 'As expected.', 'All visitors share one address. Set TRUSTED_PROXIES.'),
      ...(await sendLongState(appUrl)),
    ];
  },

  async database(config) {
    const { storage } = config;
    const database = await openDatabase(config);
    try {
      const space = storage.kind === 'postgres' ? [] : [await measure(storage.directory)];
      const server = await examineServer(database, config);
      return [...server, ...space, ...(await examineContent(database, config))];
    } finally {
      await database.close();
    }
  },

  async mail(config) {
    const [isOk, says] = await judgements.mail(config, answerMs);
    return [judge('mail', isOk, says, says, config.mail === undefined ? 'warning' : 'fault')];
  },

  async organizations({ appUrl, orgHost }) {
    if (orgHost === undefined) return [];
    const addressesAt = async (name: string): Promise<readonly string[]> =>
      (await lookup(name, { all: true }).catch(() => [])).map(({ address }) => address);
    const wildcard = orgHost.replace(/:.*/, '');
    const found = await addressesAt(`${randomBytes(6).toString('hex')}.${wildcard}`);
    const pages = await addressesAt(new URL(appUrl).hostname);
    const isSame = found.some((address) => pages.includes(address));
    const bad = `Subdomains lead ${found.length === 0 ? 'nowhere' : 'elsewhere'}. Add a wildcard DNS record.`;
    const status = found.length === 0 ? 'fault' : 'warning';
    return [judge('ORG_HOST', isSame, 'Subdomains lead where APP_URL does.', bad, status)];
  },
};

async function reach(name: string, url: string): Promise<Finding> {
  const init = { redirect: 'manual', signal: AbortSignal.timeout(answerMs) } as const;
  const answer = await fetch(`${url}/healthz`, init).catch(() => undefined);
  await answer?.body?.cancel();
  const isOurs = answer?.status === 200 && answer.headers.has('x-request-id');
  const found = answer === undefined ? 'Nothing answers' : `Something else answers (${answer.status})`;
  return judge(name, isOurs, 'It leads to Latchkey.', `${found}. Is the service up? Check DNS and proxy.`);
}

/** Sends the longest `state` to the sign-in page and back. A pass is no finding. */
async function sendLongState(appUrl: string): Promise<readonly Finding[]> {
  const state = randomBytes(3072).toString('base64url');
  const init = { redirect: 'manual', signal: AbortSignal.timeout(answerMs) } as const;
  const answer = await fetch(`${appUrl}/settings/apps?state=${state}`, init).catch(() => undefined);
  await answer?.body?.cancel();
  if (answer === undefined || answer.status === 303) return [];
  const says = `A state of 4,096 characters gets ${answer.status}. Raise the proxy's limits of headers (operations.md).`;
  return [['proxies', 'warning', says]];
}

async function measure(directory: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(directory);
  const says = `${Math.floor((bavail * bsize) / 2 ** 20)} MB are free in DATA_DIR.`;
  return judge('free space', bavail * bsize >= 2 ** 30, says, `${says} Make room.`);
}

async function examineServer({ db }: Database, config: Config): Promise<readonly Finding[]> {
  const { storage } = config;
  if (storage.kind === 'embedded') return [['database', 'warning', judgements.storage(config)[1]]];
  const asked = Date.now();
  const {
    version: server,
    epochMs,
    maxConnections,
    isReadOnly,
    hasJit,
    encoding,
    hasTls,
    isAnalyzed,
    megabytes,
  } = await describeDatabaseServer(db);
  const skewMs = Math.round(epochMs - (asked + Date.now()) / 2);
  const isNear = /\/\/([^/]*@)?(localhost|127\.|\[::1\]|\/)/.test(storage.url);
  const [isNew, isSynced] = [server >= 150_000, Math.abs(skewMs) <= maxSkewMs];
  const wanted = storage.pooler === 'off' ? storage.poolSize : 0;
  const tooMany = `${wanted}, but PostgreSQL has ${maxConnections}. Lower DATABASE_POOL_SIZE.`;
  const skew = `The clocks differ by ${skewMs} ms.`;
  const tls = hasTls ? 'The connection is encrypted.' : 'Not needed on this machine.';
  return [
    judge('database', isNew, 'PostgreSQL answers.', 'Upgrade to PostgreSQL 15 or newer.', 'fault'),
    judge('writing', !isReadOnly, 'It takes writes.', 'Read-only. Name the primary server.', 'fault'),
    judge(
      'encoding',
      encoding === 'UTF8',
      'UTF8.',
      `It is ${encoding}. Create the database with UTF8.`,
      'fault',
    ),
    judge('clock', isSynced, skew, `${skew} Keep both in sync (NTP).`),
    judge('connections', wanted <= maxConnections, `${wanted} of ${maxConnections}.`, tooMany),
    judge('JIT', !hasJit, 'Off.', 'On, which slows statements down. Run: ALTER ROLE … SET jit = off'),
    judge('statistics', isAnalyzed, 'Large tables have them.', 'Missing, as after a restore. Run: ANALYZE'),
    judge('TLS', hasTls || isNear, tls, 'Not encrypted. Turn on TLS in DATABASE_URL.'),
    ['free space', 'ok', `The database has ${megabytes} MB. Watch its disk: it cannot be seen from here.`],
  ];
}

async function examineContent({ db }: Database, config: Config): Promise<readonly Finding[]> {
  const pending = await describePending(db);
  if (pending !== undefined) return [['migrations', 'fault', pending]];
  const keys = await listKeys({ db, runtime: nodeRuntime, secrets: await openRootSecret(config) });
  const areReadable = keys.every(({ isReadable }) => isReadable);
  const bad = "SECRET can't decrypt them. Add the previous secret after a comma.";
  const parts = await loadParts(config.parts);
  const newer = await describeNewer(db);
  const serving = await listServing(db, nodeRuntime.now());
  const differing = differingParts([kindOf(parts), ...serving]).join(', ');
  const orphans = await findOrphans({ db, parts });
  const lacking = `This build lacks the parts of ${orphans.join(', ')}, whose rows no deletion, reset or export reaches. Use a build with them, or delete the rows.`;
  return [
    judge(
      'PARTS',
      differing === '',
      'The same here as wherever it serves now.',
      `Not all instances serve ${differing}, or this shell has other PARTS. Set the same everywhere.`,
    ),
    judge('parts', orphans.length === 0, 'All tables with rows have one.', lacking),
    judge(
      'migrations',
      newer === undefined,
      `The database has all of ${version}.`,
      `${newer?.replace(/^./, (letter) => letter.toUpperCase())}.`,
    ),
    judge(
      'signing keys',
      areReadable,
      keys.length === 0 ? noKeysWords : 'SECRET decrypts them.',
      bad,
      'fault',
    ),
  ];
}
