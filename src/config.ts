import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import {
  databaseHostsOf,
  isHostName,
  isWeak,
  readVariables,
  strayVariables,
  unexpanded,
  type Variables,
} from './environment.ts';

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

/** Each entry that is wrong is named by its place, and by what is wrong with it. */
const listOf = (faultOf: (entry: string) => string | undefined, separator: string | RegExp = ',') =>
  z.string().transform((text, context) => {
    const entries = text.split(separator).map((entry) => entry.trim());
    const faults = entries.map((entry) =>
      entry === '' ? 'is empty: a comma is one too many' : faultOf(entry),
    );
    const placeOf = (at: number) => (entries.length === 1 ? '' : `(entry ${at + 1} of ${entries.length}) `);
    for (const [at, fault] of faults.entries())
      if (fault !== undefined) context.addIssue(placeOf(at) + fault);
    return entries;
  });

const addressRanges = listOf(rangeFault).default([]);

const resourceParts = /^(\S+)\s+(\P{C}{1,80})$/u;

const resources = listOf(resourceFault)
  .transform((entries) => entries.map((entry) => resourceParts.exec(entry) ?? []))
  .transform((entries) => entries.map(([, address = '', name = '']) => ({ address, name })))
  .refine((entries) => isEachOnce(entries.map(({ address }) => withoutSlash(address))), {
    error: 'must name each address once, with or without a slash at its end',
  })
  .default([]);

const maxScopes = 20;

/** A comma ends an entry only before the next name, so words may contain commas. */
const scopes = listOf(scopeFault, /,(?=[^,=]+=)/)
  .transform((entries) => entries.map((entry) => /^([^=]*)=(.*)$/s.exec(entry) ?? []))
  .transform((entries) => entries.map(([, name = '', words = '']) => ({ name, words: words.trim() })))
  .refine((entries) => isEachOnce(entries.map(({ name }) => name)), 'must name each scope once')
  .refine((entries) => entries.length <= maxScopes, `must have ${maxScopes} scopes at most`)
  .default([]);

const hostNames = listOf((host) =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host)
    ? undefined
    : "must be the name of a host, without https:// and path; several are separated by commas: 'zoom.us,meet.google.com'",
)
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .default([]);

/** No shell reads what Docker, systemd and Kubernetes set. */
const path = z.string().refine((text) => !unexpanded.test(text), {
  error: `begins with ~ or $, which only a shell expands: write the whole path, with ./ before a name that begins so`,
});

const secretMinBytes = 32;
const howToMake = 'make one with: openssl rand -base64 33';

/** libpq has other modes, which check less than they seem to, or which the driver doesn't know. */
const sslModes: readonly string[] = ['disable', 'prefer', 'require', 'verify-full'];

/** Other drivers take these; PostgreSQL would be sent them as settings of its own, or they'd be dropped. */
const foreignParameters =
  'schema pgbouncer connection_limit pool_timeout socket_timeout sslaccept host port sslcert sslkey sslpassword sslcrl sslidentity service passfile gssencmode'.split(
    ' ',
  );

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
  DATA_DIR: path.default('./data'),
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
  APP_NAME: z
    .string()
    .trim()
    .regex(/^\P{C}{1,40}$/u, 'must have 1 to 40 characters, without line breaks')
    .default('Latchkey'),
  BRAND_COLOR: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "must be a color such as '#3d4ed8'")
    .toLowerCase()
    .optional(),
  BRAND_LOGO: path.optional(),
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
  const { REFRESH_IDLE_DAYS: idleDays = 0, REFRESH_MAX_DAYS: maxDays = 0 } = parsed.data ?? {};
  if (set['REFRESH_IDLE_DAYS'] !== undefined && idleDays > maxDays)
    faults.push('REFRESH_IDLE_DAYS is above REFRESH_MAX_DAYS, which ends every grant before');
  const api = `${parsed.data?.API_URL ?? parsed.data?.APP_URL}/`;
  if (parsed.data?.RESOURCES.some(({ address }) => `${withoutSlash(address)}/`.startsWith(api)))
    faults.push('RESOURCES names our own API (API_URL, or below it), whose tokens apps get without it');
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

/** What a start and `doctor` warn of. */
export function configWarnings(config: Config): readonly string[] {
  const { appUrl, apiUrl, emailVerification } = config;
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

/** The embedded database is for this machine alone, unless it is asked for by name. */
function lostDatabase(set: Variables): readonly string[] {
  if (set['DATABASE'] !== undefined || set['DATABASE_URL'] !== undefined) return [];
  const ofServers = 'TRUSTED_PROXIES DATABASE_POOL_SIZE DATABASE_POOLER DATABASE_GROUPING SECRET'.split(' ');
  const cause =
    ['APP_URL', 'API_URL'].find((name) => isPublic(set[name] ?? '')) ??
    (isOfThisMachine(set['HOST'] ?? '127.0.0.1')
      ? ofServers.find((name) => set[name] !== undefined)
      : 'HOST');
  if (cause === undefined) return [];
  return [`DATABASE_URL is required with this ${cause}; DATABASE=embedded keeps all in DATA_DIR`];
}

function missingPartners(set: Variables): string[] {
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

function rangeFault(text: string): string | undefined {
  const [address = '', bits, ...more] = text.split('/');
  if (/[\s;|]/.test(text)) return 'has blanks or semicolons: separate addresses and ranges by commas';
  if (isIP(address) === 0 || more.length > 0 || address.includes('%'))
    return "must be an IP address, or a range of them such as 10.0.0.0/8: no name, port, zone, quotes, brackets, dash or word such as 'yes'";
  if (bits === undefined) return undefined;
  // A range of all addresses would let anyone choose the address that they seem to come from.
  if (bits === '0') return 'is the whole internet: name the networks of your own';
  if (!/^[1-9][0-9]*$/.test(bits) || !ipaddr.isValidCIDR(text))
    return `must end in how many bits are the network's, 1 to ${isIP(address) === 4 ? 32 : 128}: no netmask`;
  const network = ipaddr[isIP(address) === 4 ? 'IPv4' : 'IPv6'].networkAddressFromCIDR(text);
  return ipaddr.parse(address).toString() === network.toString()
    ? undefined
    : `has an address and the /${bits} of a network around it: write the network's first address, or the address without /${bits}`;
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  );
}

/** These have a meaning that no other API can give them (contract §6). */
const openidScopes: readonly string[] = ['openid', 'profile', 'email', 'offline_access'];

/** RFC 6749 §3.3 allows more, but some of it separates names here and in requests. */
function scopeFault(text: string): string | undefined {
  const [, name = '', words = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (!/^[!-~]{1,64}$/.test(name) || /["\\,]/.test(name) || !/^\P{C}{1,120}$/u.test(words.trim()))
    return "must be a name of up to 64 characters without blanks, quotes and backslashes, with words of up to 120: 'notes:read=Read your notes'";
  return isOwnScope(name) || openidScopes.includes(name)
    ? `can't have a name that ends in _READ or _WRITE, which are our API's, or one of ${openidScopes.join(', ')}, which are ignored`
    : undefined;
}

/** Scopes of our API end so, and those of others don't (contract §1). */
export function isOwnScope(name: string): boolean {
  return name.endsWith('_READ') || name.endsWith('_WRITE');
}

/** Other services compare the text with `aud`, so only a URL parser's spelling is right. */
function resourceFault(text: string): string | undefined {
  const [, address = '', name = ''] = resourceParts.exec(text) ?? [];
  if (address === '')
    return "must be an https address, and then its name of up to 80 characters without commas: 'https://notes.example Meeting notes'";
  if (/https?:\/\//.test(name)) return 'has two addresses: separate them by a comma';
  if (!/^https:\/\/[^?#@]+$/.test(address)) return 'must begin with https://, and have no ?, # or @';
  return URL.canParse(address) && [address, `${address}/`].includes(new URL(address).href)
    ? undefined
    : 'must have an address as browsers show it: small letters in its host, and no port 443';
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '');

const isEachOnce = (names: readonly string[]): boolean => new Set(names).size === names.length;
