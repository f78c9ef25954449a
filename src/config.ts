import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import {
  databaseHostsOf,
  isHostName,
  isWeak,
  readVariables,
  strayVariables,
  type Variables,
} from './environment.ts';
import { secretMinBytes } from './oauth/core/crypto.ts';
import { ignoredScopes } from './oauth/core/scope.ts';

/** A pooler such as PgBouncer shares out sessions or transactions. */
const poolers = ['off', 'session', 'transaction'] as const;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Names variables and rules, never values. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
}

const daySeconds = 86_400;

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^[0-9]{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

const origin = z
  .string()
  .refine(isOrigin, {
    error: 'must be an http or https address of a host alone, without path, query or user',
    abort: true,
  })
  .refine((text) => /^(\[[\da-f:.]+\]|[a-z\d.-]+)$/.test(new URL(text).hostname), {
    error: 'must have the name of a host, in which no variable or * is left',
  })
  .transform((text) => new URL(text).origin);

const addressRanges = z
  .string()
  .transform((text) => text.split(',').map((range) => range.trim()))
  .refine((ranges) => ranges.every(isAddressRange), {
    error: 'must be addresses or CIDR ranges, separated by commas, and not the whole internet',
  })
  .default([]);

const resources = z
  .string()
  .transform((text) => text.split(',').map((entry) => /^(\S+)\s+(\P{C}{1,80})$/u.exec(entry.trim()) ?? []))
  .refine((entries) => entries.every(([, address = '']) => isResource(address)), {
    error: "must be https addresses, each with its name: 'https://notes.example Meeting notes, …'",
  })
  .transform((entries) => entries.map(([, address = '', name = '']) => ({ address, name })))
  .default([]);

const maxScopes = 20;

/** A comma ends an entry only before the next name, so words may contain commas. */
const scopes = z
  .string()
  .transform((text) => text.split(/,(?=[^,=]+=)/).map((entry) => /^([^=]*)=(.*)$/s.exec(entry.trim()) ?? []))
  .transform((entries) => entries.map(([, name = '', words = '']) => ({ name, words: words.trim() })))
  .refine(
    (entries) => entries.every(({ name, words }) => isScopeName(name) && /^\P{C}{1,120}$/u.test(words)),
    {
      error:
        "must be names of up to 64 characters without blanks, quotes and backslashes, each with words of up to 120: 'notes:read=Read your notes,…'",
      abort: true,
    },
  )
  .refine((entries) => entries.every(({ name }) => !isTakenScope(name)), {
    error: `can't have names that end in _READ or _WRITE, which are our API's, or ${ignoredScopes.join(', ')}, which are ignored`,
  })
  .refine((entries) => new Set(entries.map(({ name }) => name)).size === entries.length, {
    error: 'must name each scope once',
  })
  .refine((entries) => entries.length <= maxScopes, { error: `must have ${maxScopes} scopes at most` })
  .default([]);

const appName = z
  .string()
  .trim()
  .regex(/^\P{C}{1,40}$/u, { error: 'must have 1 to 40 characters, without line breaks' });

const hostNames = z
  .string()
  .toLowerCase()
  .transform((text) => text.split(',').map((host) => host.trim()))
  .refine((hosts) => hosts.every((host) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host)), {
    error: "must be names of hosts, separated by commas: 'zoom.us,meet.google.com'",
  })
  .default([]);

const brandColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, { error: "must be a color such as '#3d4ed8'" })
  .toLowerCase();

const howToMake = 'make one with: openssl rand -base64 33';

/** libpq has other modes, which check less than they seem to, or which the driver doesn't know. */
const sslModes: readonly string[] = ['disable', 'prefer', 'require', 'verify-full'];

/** Other drivers take these; PostgreSQL would be sent them as settings of its own, or they'd be dropped. */
const foreignParameters: readonly string[] = [
  ...[
    'schema',
    'pgbouncer',
    'connection_limit',
    'pool_timeout',
    'socket_timeout',
    'sslaccept',
    'host',
    'port',
  ],
  ...['sslcert', 'sslkey', 'sslpassword', 'sslcrl', 'sslidentity', 'service', 'passfile', 'gssencmode'],
];

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65535).default(3000),
  APP_URL: origin.optional(),
  API_URL: origin.optional(),
  DATABASE: z
    .literal('embedded', { error: "can only be 'embedded'; an address is in DATABASE_URL" })
    .optional(),
  DATABASE_URL: z
    .string()
    .refine((text) => databaseHostsOf(text).length > 0, {
      error:
        'must be a postgres:// address; several hosts are separated by commas, special characters of the password percent-encoded',
      abort: true,
    })
    .refine((text) => sslModes.includes(/[?&]sslmode=([^&]*)/.exec(text)?.[1] ?? 'require'), {
      error: `must have an sslmode of ${sslModes.join(', ')}`,
    })
    .superRefine((text, context) => {
      const name = /[?&](\w+)=/g;
      for (const [, parameter = ''] of text.matchAll(name))
        if (foreignParameters.includes(parameter))
          context.addIssue(`has the parameter ${parameter}, which this service doesn't take: leave it out`);
    })
    .refine(
      (text) => !/[?&]ssl(mode=verify-full|rootcert=)/.test(text) || databaseHostsOf(text).every(isHostName),
      {
        error: 'must name hosts, not IP addresses, where their certificates are verified',
      },
    )
    .optional(),
  DATABASE_GROUPING: z.enum(['on', 'off'], { error: "must be 'on' or 'off'" }).default('on'),
  DATABASE_POOL_SIZE: wholeNumber(2, 1000).default(10),
  DATABASE_POOLER: z.enum(poolers, { error: `must be one of ${poolers.join(', ')}` }).default('off'),
  DATA_DIR: z.string().default('./data'),
  SECRET: z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every((secret) => Buffer.byteLength(secret) >= secretMinBytes), {
      error: `must be ${secretMinBytes} bytes or more; several are separated by commas, each that long`,
      abort: true,
    })
    .refine((secrets) => !secrets.some(isWeak), {
      error: `is too easy to guess; ${howToMake}`,
    })
    .optional(),
  ADMIN_EMAIL: z.email({ error: 'must be an email address' }).optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(10, { error: 'must have 10 characters or more', abort: true })
    .max(128, { error: 'must have 128 characters at most' })
    .refine((password) => !isWeak(password), { error: 'is too easy to guess' })
    .optional(),
  APP_NAME: appName.default('Latchkey'),
  BRAND_COLOR: brandColor.optional(),
  BRAND_LOGO: z.string().optional(),
  SIGNUP: z.enum(['open', 'closed'], { error: "must be 'open' or 'closed'" }).default('open'),
  ADMIN_PASSKEYS: z.enum(['required', 'off'], { error: "must be 'required' or 'off'" }).default('off'),
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:\/\//.test(text) && URL.canParse(text), {
      error: 'must be an smtp:// or smtps:// address; special characters of the password are percent-encoded',
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .refine((text) => /^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(text), {
      error: 'must be an email address, with or without a name',
    })
    .optional(),
  EMAIL_VERIFICATION: z.enum(['required', 'off'], { error: "must be 'required' or 'off'" }).optional(),
  CODE_TTL_SECONDS: wholeNumber(1, 600).default(60),
  REFRESH_IDLE_DAYS: wholeNumber(1, 3650).default(30),
  REFRESH_MAX_DAYS: wholeNumber(1, 3650).default(365),
  BOOKING_RETENTION_DAYS: wholeNumber(30, 36_500).optional(),
  ORG_HOST: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+(:[0-9]+)?$/, { error: 'must be a host name' })
    .optional(),
  TRUSTED_PROXIES: addressRanges,
  CALENDAR_ALLOW_PRIVATE: addressRanges,
  MEETING_HOSTS: hostNames,
  METRICS_HOST: z.string().optional(),
  METRICS_PORT: wholeNumber(0, 65535).optional(),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 300).default(0),
  RESOURCES: resources,
  SCOPES: scopes,
  PARTS: z.string().default('all'),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});

/** Reads the settings of an environment. Throws ConfigFault with all faults together. */
export function readConfig(variables: Variables): Config {
  const { set, faults: fileFaults } = readVariables(variables);
  const parsed = environment.safeParse(set);
  const faults = [...fileFaults, ...strayVariables(set, Object.keys(environment.shape))];
  if (!parsed.success)
    faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  else if (
    set['REFRESH_IDLE_DAYS'] !== undefined &&
    parsed.data.REFRESH_IDLE_DAYS > parsed.data.REFRESH_MAX_DAYS
  )
    faults.push('REFRESH_IDLE_DAYS is above REFRESH_MAX_DAYS, which ends every grant before');
  faults.push(...missingPartners(set));
  if (parsed.success && faults.length === 0) faults.push(...lostDatabase(set));
  if (!parsed.success || faults.length > 0) throw new ConfigFault(faults);
  return toConfig(parsed.data);
}

/** Contract §1 explains the settings. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

function toConfig(env: z.output<typeof environment>) {
  const [firstSecret, ...otherSecrets] = env.SECRET ?? [];
  const localUrl = new URL(`http://localhost:${env.PORT}`).origin;
  return {
    host: env.HOST,
    port: env.PORT,
    /** Origins have no slash at the end; the issuer is `appUrl`. */
    appUrl: env.APP_URL ?? localUrl,
    apiUrl: env.API_URL ?? env.APP_URL ?? localUrl,
    storage:
      env.DATABASE_URL === undefined
        ? ({ kind: 'embedded', directory: env.DATA_DIR } as const)
        : ({
            kind: 'postgres',
            url: env.DATABASE_URL,
            poolSize: env.DATABASE_POOL_SIZE,
            pooler: env.DATABASE_POOLER,
          } as const),
    /** One statement for many requests may concern more than one shard (docs/scaling.md). */
    databaseGrouping: env.DATABASE_GROUPING,
    /** A missing secret is generated into the data directory. */
    secrets: firstSecret === undefined ? undefined : ([firstSecret, ...otherSecrets] as const),
    admin:
      env.ADMIN_EMAIL === undefined || env.ADMIN_PASSWORD === undefined
        ? undefined
        : { email: env.ADMIN_EMAIL.trim().toLowerCase(), password: env.ADMIN_PASSWORD },
    /** The operator's name, color and logo (a file) are on pages and in emails. */
    brand: { name: env.APP_NAME, color: env.BRAND_COLOR, logo: env.BRAND_LOGO },
    signUp: env.SIGNUP,
    adminPasskeys: env.ADMIN_PASSKEYS,
    /** An unverified account has no power where this is required (security C57). */
    emailVerification: env.EMAIL_VERIFICATION ?? (env.SMTP_URL === undefined ? 'off' : 'required'),
    mail:
      env.SMTP_URL === undefined || env.MAIL_FROM === undefined
        ? undefined
        : { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    lifetimes: {
      codeSeconds: env.CODE_TTL_SECONDS,
      refreshIdleSeconds: env.REFRESH_IDLE_DAYS * daySeconds,
      refreshMaxSeconds: env.REFRESH_MAX_DAYS * daySeconds,
    },
    /** Bookings are deleted so long after their end; undefined keeps them. */
    bookingRetentionDays: env.BOOKING_RETENTION_DAYS,
    orgHost: env.ORG_HOST,
    trustedProxies: env.TRUSTED_PROXIES,
    calendarAllowPrivate: env.CALENDAR_ALLOW_PRIVATE,
    /** Meetings there, and on hosts below, are joined directly (security C330). */
    meetingHosts: env.MEETING_HOSTS,
    metrics:
      env.METRICS_PORT === undefined
        ? undefined
        : { host: env.METRICS_HOST ?? env.HOST, port: env.METRICS_PORT },
    /** The process goes on for so long after `/readyz` fails. */
    shutdownDelaySeconds: env.SHUTDOWN_DELAY_SECONDS,
    /** Other services take our tokens; the consent page shows their names (RFC 8707). */
    resources: env.RESOURCES,
    /** Apps ask for these; the consent page shows their words. */
    scopes: env.SCOPES,
    parts: env.PARTS,
    logLevel: env.LOG_LEVEL,
  };
}

/** Strangers can reach an address that isn't of this machine alone. */
function isPublic(address: string): boolean {
  return isOrigin(address) && !isOfThisMachine(new URL(address).hostname);
}

function isOfThisMachine(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(name) === 0 ? /^(.+\.)?localhost$/i.test(name) : ipaddr.process(name).range() === 'loopback';
}

/** The embedded database is for this machine alone, unless it is asked for by name. */
function lostDatabase(set: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (set['DATABASE'] !== undefined || set['DATABASE_URL'] !== undefined) return [];
  const ofServers = [
    'TRUSTED_PROXIES',
    'DATABASE_POOL_SIZE',
    'DATABASE_POOLER',
    'DATABASE_GROUPING',
    'SECRET',
  ];
  const cause =
    ['APP_URL', 'API_URL'].find((name) => isPublic(set[name] ?? '')) ??
    (isOfThisMachine(set['HOST'] ?? '127.0.0.1')
      ? ofServers.find((name) => set[name] !== undefined)
      : 'HOST');
  if (cause === undefined) return [];
  return [`DATABASE_URL is required with this ${cause}; DATABASE=embedded keeps all in DATA_DIR`];
}

export function configWarnings({ appUrl, apiUrl, emailVerification }: Config): readonly string[] {
  return [
    ...(emailVerification === 'off'
      ? ['EMAIL_VERIFICATION is off: people can use email addresses that are not theirs']
      : []),
    ...(appUrl.startsWith('http:') && isPublic(appUrl)
      ? ['APP_URL is http: passwords, codes and tokens can be read on their way; use https']
      : []),
    ...(apiUrl !== appUrl && apiUrl.startsWith('http:') && isPublic(apiUrl)
      ? ['API_URL is http: tokens can be read on their way; use https']
      : []),
  ];
}

export function addressesOf({ storage, mail }: Config): Readonly<Record<string, string | undefined>> {
  return { DATABASE_URL: storage.kind === 'postgres' ? storage.url : undefined, SMTP_URL: mail?.smtpUrl };
}

function missingPartners(set: Readonly<Record<string, string | undefined>>): string[] {
  const needs = (name: string, cause: string): string[] =>
    set[cause] !== undefined && set[name] === undefined && set[`${name}_FILE`] === undefined
      ? [`${name} is required with ${cause}`]
      : [];
  return [
    ...needs('SECRET', 'DATABASE_URL').map((fault) => `${fault}; ${howToMake}`),
    ...(set['DATABASE'] !== undefined && set['DATABASE_URL'] !== undefined
      ? ["DATABASE can't be used together with DATABASE_URL"]
      : []),
    ...needs('ADMIN_PASSWORD', 'ADMIN_EMAIL'),
    ...needs('ADMIN_EMAIL', 'ADMIN_PASSWORD'),
    ...needs('MAIL_FROM', 'SMTP_URL'),
    ...needs('METRICS_PORT', 'METRICS_HOST'),
    ...needs('RESOURCES', 'SCOPES'),
    ...(set['EMAIL_VERIFICATION'] === 'required' ? needs('SMTP_URL', 'EMAIL_VERIFICATION') : []),
    ...(set['PORT'] === '0' && set['APP_URL'] === undefined ? ['APP_URL is required with PORT 0'] : []),
  ];
}

/** A range of all addresses would let anyone choose the address that they seem to come from. */
function isAddressRange(text: string): boolean {
  const [address = '', bits] = text.split('/');
  if (isIP(address) === 0 || address.includes('%')) return false;
  return bits === undefined || (/^[1-9][0-9]*$/.test(bits) && ipaddr.isValidCIDR(text));
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  );
}

/** RFC 6749 §3.3 allows more, but some of it separates names here and in requests. */
function isScopeName(text: string): boolean {
  return /^[!-~]{1,64}$/.test(text) && !/["\\,=]/.test(text);
}

/** Scopes of our API end so, and those of others don't (contract §1). */
export function isOwnScope(name: string): boolean {
  return name.endsWith('_READ') || name.endsWith('_WRITE');
}

function isTakenScope(name: string): boolean {
  return isOwnScope(name) || ignoredScopes.includes(name);
}

/** Other services compare the text with `aud`, so only a URL parser's spelling is right. */
function isResource(text: string): boolean {
  if (!/^https:\/\/[^?#@]+$/.test(text) || !URL.canParse(text)) return false;
  return [text, `${text}/`].includes(new URL(text).href);
}
