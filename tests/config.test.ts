import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type Config, ConfigFault, readConfig } from '../src/config.ts';

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
  ['SECRET', 'secrets', undefined],
  ['ADMIN_EMAIL, ADMIN_PASSWORD', 'admin', undefined],
  ['ADMIN_PASSKEYS', 'adminPasskeys', 'off'],
  ['SIGNUP', 'signUp', 'open'],
  ['SMTP_URL, MAIL_FROM', 'mail', undefined],
  ['EMAIL_VERIFICATION', 'emailVerification', 'off'],
  [
    'CODE_TTL_SECONDS, REFRESH_IDLE_DAYS, REFRESH_MAX_DAYS',
    'lifetimes',
    { codeSeconds: 60, refreshIdleSeconds: 30 * 86_400, refreshMaxSeconds: 365 * 86_400 },
  ],
  ['ORG_HOST', 'orgHost', undefined],
  ['TRUSTED_PROXIES', 'trustedProxies', []],
  ['CALENDAR_ALLOW_PRIVATE', 'calendarAllowPrivate', []],
  ['LOG_LEVEL', 'logLevel', 'info'],
])('the default of %s (contract §1)', ([, setting, value]) => {
  expect(readConfig({})[setting]).toEqual(value);
});

test('every setting has a row in the table of defaults (contract §1)', () => {
  expect(Object.keys(readConfig({}))).toHaveLength(16);
});

test.for<[variables: Environment, setting: keyof Config, value: unknown]>([
  [{ HOST: '0.0.0.0' }, 'host', '0.0.0.0'],
  [{ PORT: '8080' }, 'port', 8080],
  [{ PORT: '8080' }, 'appUrl', 'http://localhost:8080'],
  [{ PORT: '80' }, 'appUrl', 'http://localhost'],
  [{ PORT: '8080' }, 'apiUrl', 'http://localhost:8080'],
  [{ APP_URL: 'https://app.example/' }, 'appUrl', 'https://app.example'],
  [{ API_URL: 'https://api.example' }, 'apiUrl', 'https://api.example'],
  [
    { DATABASE_URL: 'postgres://db/x', SECRET: secret },
    'storage',
    { kind: 'postgres', url: 'postgres://db/x' },
  ],
  [
    { DATABASE_URL: 'postgresql://db/x', SECRET: secret },
    'storage',
    { kind: 'postgres', url: 'postgresql://db/x' },
  ],
  [{ DATA_DIR: '/var/data' }, 'storage', { kind: 'embedded', directory: '/var/data' }],
  [{ SECRET: secret }, 'secrets', [secret]],
  [{ SECRET: 'é'.repeat(16) }, 'secrets', ['é'.repeat(16)]],
  [{ SIGNUP: 'closed' }, 'signUp', 'closed'],
  [{ ADMIN_PASSKEYS: 'required' }, 'adminPasskeys', 'required'],
  [
    { SMTP_URL: 'smtp://mail.example:25', MAIL_FROM: 'no-reply@cal.example' },
    'emailVerification',
    'required',
  ],
  [
    { SMTP_URL: 'smtp://mail.example:25', MAIL_FROM: 'no-reply@cal.example', EMAIL_VERIFICATION: 'off' },
    'emailVerification',
    'off',
  ],
  [{ CODE_TTL_SECONDS: '600' }, 'lifetimes', expect.objectContaining({ codeSeconds: 600 })],
  [{ REFRESH_IDLE_DAYS: '7' }, 'lifetimes', expect.objectContaining({ refreshIdleSeconds: 7 * 86_400 })],
  [{ REFRESH_MAX_DAYS: '90' }, 'lifetimes', expect.objectContaining({ refreshMaxSeconds: 90 * 86_400 })],
  [{ ORG_HOST: 'cal.example' }, 'orgHost', 'cal.example'],
  [{ CALENDAR_ALLOW_PRIVATE: '10.1.0.0/16, fd00::/8' }, 'calendarAllowPrivate', ['10.1.0.0/16', 'fd00::/8']],
  [{ LOG_LEVEL: 'debug' }, 'logLevel', 'debug'],
  [{ TRUSTED_PROXIES: '10.1.2.3' }, 'trustedProxies', ['10.1.2.3']],
  [{ TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,::1' }, 'trustedProxies', ['10.0.0.0/8', 'fd00::/8', '::1']],
  [
    { ADMIN_EMAIL: 'Ann@Example.com', ADMIN_PASSWORD: 'ten letters' },
    'admin',
    { email: 'ann@example.com', password: 'ten letters' },
  ],
  [
    { SMTP_URL: 'smtp://mail.example:25', MAIL_FROM: 'Latchkey <no-reply@cal.example>' },
    'mail',
    { smtpUrl: 'smtp://mail.example:25', from: 'Latchkey <no-reply@cal.example>' },
  ],
])('%o is understood as %s (contract §1)', ([variables, setting, value]) => {
  expect(readConfig(variables)[setting]).toEqual(value);
});

test('several secrets are separated by commas, and keep their order (contract §1)', () => {
  const config = readConfig({ SECRET: `${secret}-new, ${secret}-old` });

  expect(config.secrets).toEqual([`${secret}-new`, `${secret}-old`]);
});

test.for(['', '   '])('an empty variable (%j) counts as absent (contract §1)', (empty) => {
  const names = [
    ...['HOST', 'PORT', 'APP_URL', 'API_URL', 'DATABASE_URL', 'DATA_DIR', 'SECRET', 'ADMIN_EMAIL'],
    ...['ADMIN_PASSWORD', 'SIGNUP', 'SMTP_URL', 'MAIL_FROM', 'CODE_TTL_SECONDS', 'REFRESH_IDLE_DAYS'],
    ...[
      'EMAIL_VERIFICATION',
      'REFRESH_MAX_DAYS',
      'ORG_HOST',
      'TRUSTED_PROXIES',
      'CALENDAR_ALLOW_PRIVATE',
      'LOG_LEVEL',
    ],
  ];

  const config = readConfig(Object.fromEntries(names.map((name) => [name, empty])));

  expect(config).toEqual(readConfig({}));
});

test.for<[variables: Environment, name: string]>([
  [{ PORT: '-1' }, 'PORT'],
  [{ PORT: '65536' }, 'PORT'],
  [{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'x'.repeat(129) }, 'ADMIN_PASSWORD'],
  [{ PORT: '3000.5' }, 'PORT'],
  [{ PORT: '0' }, 'APP_URL'],
  [{ APP_URL: 'cal.example' }, 'APP_URL'],
  [{ APP_URL: 'ftp://cal.example' }, 'APP_URL'],
  [{ APP_URL: 'https://cal.example/path' }, 'APP_URL'],
  [{ APP_URL: 'https://cal.example?query' }, 'APP_URL'],
  [{ APP_URL: 'https://user@cal.example' }, 'APP_URL'],
  [{ API_URL: 'https://cal.example/v2' }, 'API_URL'],
  [{ DATABASE_URL: 'mysql://db/x', SECRET: secret }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://db/x' }, 'SECRET'],
  [{ SECRET: 'x'.repeat(31) }, 'SECRET'],
  [{ SECRET: `${secret},short` }, 'SECRET'],
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
  [{ ORG_HOST: 'https://cal.example' }, 'ORG_HOST'],
  [{ TRUSTED_PROXIES: 'proxy.example' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.1,' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: 'fd00::/129' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.0/255.0.0.0' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.0/8/8' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.1 10.0.0.2' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: 'fe80::1%eth0' }, 'TRUSTED_PROXIES'],
  [{ CALENDAR_ALLOW_PRIVATE: 'true' }, 'CALENDAR_ALLOW_PRIVATE'],
  [{ CALENDAR_ALLOW_PRIVATE: '0.0.0.0/0' }, 'CALENDAR_ALLOW_PRIVATE'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
])('%o is refused with one fault, of %s (contract §1)', ([variables, name]) => {
  const faults = faultOf(variables).message.split('\n').slice(1);

  expect(faults).toEqual([expect.stringMatching(new RegExp(`^ {2}${name} `))]);
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
