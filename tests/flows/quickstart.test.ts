import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  describeQuickstart,
  quoteForJavaScript,
  quoteForShell,
  type Step,
} from '../../src/oauth/clients/quickstart.ts';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { type Scope, scopeNames } from '../../src/oauth/core/scope.ts';
import { represent } from '../support/api.ts';
import { decide, openDecision, redirectOf } from '../support/authorization.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser, signIn, type TestClient, type Tokens } from '../support/world.ts';

const service = await openTestSite();
const { appUrl } = service;
const lifetimes = { codeSeconds: 45 };
const run = promisify(execFile);

/** Runs a script in a shell, with a line that a user types when it asks, or in Node as a module; answers what it printed. */
const languages = {
  shell: async (script: string, variables: Readonly<Record<string, string>> = {}, typed = 'typed') => {
    const running = run('bash', ['-euc', script], { env: { PATH: process.env['PATH'], ...variables } });
    // A script that asks nothing may end before anybody has typed; what comes of it is told by the promise.
    running.child.stdin?.on('error', () => {}).end(`${typed}\n`);
    return (await running).stdout;
  },
  javaScript: async (script: string, variables: Readonly<Record<string, string>> = {}) =>
    (
      await run(process.execPath, ['--input-type=module', '-e', script], {
        env: { PATH: process.env['PATH'], ...variables },
      })
    ).stdout,
} as const;

/** Whatever a redirect URI may hold, private-use schemes included, and then some. */
const oddTexts = [
  `com.example.app:/it's"$HOME"\`id\`$(id)\\`,
  'com.example.app:a&b;c|d>e<f</script><!--',
  "https://app.example/'$x'?a=1&b=$(id)&c=!!&d=%41%20+*[]{}~",
  'https://app.example/\\n\\t\\0?x=@file&y==',
  '@/etc/passwd',
  '-d',
  `\${CLIENT_SECRET}`,
  `\`\${process.exit(1)}\``,
] as const;
const text = fc.string({ unit: fc.constantFrom(...` !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~aZ0`), maxLength: 30 });

function quickstartOf(
  client: Pick<TestClient, 'id' | 'type' | 'redirectUri'>,
  scopes: readonly Scope[] | null = null,
): Record<string, Step> {
  const { steps } = describeQuickstart(
    { id: client.id, type: client.type, redirectUris: [client.redirectUri], scopes },
    { appUrl, apiUrl: appUrl, lifetimes },
  );
  return Object.fromEntries(steps.map((step) => [step.name, step]));
}

function codeOf(step: Step | undefined, language: keyof typeof languages): string {
  if (step === undefined) throw new Error('there is no such step');
  return step[language];
}

describe('a quoted text is that text again, whatever stands in it', () => {
  const texts = [...oddTexts, ...fc.sample(text, 300)].filter((one) => !one.includes('\0'));

  test('in a shell', async () => {
    const printed = await languages.shell(`printf '%s\\0' ${texts.map(quoteForShell).join(' ')}`);

    expect(printed.split('\0').slice(0, -1)).toEqual(texts);
  });

  test('in JavaScript, also where a script stands inside a page', async () => {
    const literals = texts.map(quoteForJavaScript);

    const printed = await languages.javaScript(`console.log(JSON.stringify([${literals.join(', ')}]))`);

    expect(JSON.parse(printed)).toEqual(texts);
    expect(literals.join('')).not.toMatch(/<\/script|<!--/);
  });
});

describe.each(oddTexts)('with the redirect URI %s', (redirectUri) => {
  const quickstart = quickstartOf({ id: 'c1', type: 'confidential', redirectUri });

  test('the shell sends exactly these fields, encoded as a form', async () => {
    // In the place of curl: prints its arguments.
    const spy = `curl() { printf '%s\\0' "$@"; }\nCODE_VERIFIER=v CLIENT_SECRET='s$1'\n`;

    const printed = await languages.shell(`${spy}${codeOf(quickstart['exchange'], 'shell')}`, {}, 'a&b');

    const [address, ...others] = printed.split('\0').slice(0, -1);
    expect(address).toBe(`${appUrl}/v2/auth/oauth2/token`);
    expect(others.filter((_argument, index) => index % 2 === 1)).toEqual([
      'client_id=c1',
      'client_secret=s$1',
      'grant_type=authorization_code',
      'code=a&b',
      `redirect_uri=${redirectUri}`,
      'code_verifier=v',
    ]);
    expect(new Set(others.filter((_argument, index) => index % 2 === 0))).toEqual(
      new Set(['--data-urlencode']),
    );
  });

  test('JavaScript sends exactly these fields', async () => {
    const spy = `globalThis.fetch = async (address, { body }) => ({ ok: true, json: async () => [address, ...body] });\n`;
    const call = `\nconsole.log(JSON.stringify(await exchangeCode('a&b', 'v')));`;

    const printed = await languages.javaScript(
      `${spy}${codeOf(quickstart['exchange'], 'javaScript')}${call}`,
      {
        LATCHKEY_CLIENT_SECRET: 's$1',
      },
    );

    expect(JSON.parse(printed)).toEqual([
      `${appUrl}/v2/auth/oauth2/token`,
      ['client_id', 'c1'],
      ['client_secret', 's$1'],
      ['grant_type', 'authorization_code'],
      ['code', 'a&b'],
      ['redirect_uri', redirectUri],
      ['code_verifier', 'v'],
    ]);
  });

  test.each(['shell', 'javaScript'] as const)('the address that %s prints asks for it', async (language) => {
    const printed = await languages[language](codeOf(quickstart['authorize'], language));

    const { origin, pathname, searchParams } = new URL(printed.trim());
    expect(`${origin}${pathname}`).toBe(`${appUrl}/auth/oauth2/authorize`);
    expect(searchParams.get('redirect_uri')).toBe(redirectUri);
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get('state')?.length).toBeGreaterThan(20);
  });
});

describe.each(['confidential', 'public'] as const)('pasted for a %s client', (type) => {
  test('in a shell the steps lead from the authorization page to a call and a refresh (contract §3 to §5)', async () => {
    const { client, quickstart, allow } = await meet(type);

    const printed = await languages.shell(
      `${codeOf(quickstart['authorize'], 'shell')}\nprintf '%s\\n' "$CODE_VERIFIER" "\${CLIENT_SECRET-}"`,
      {},
      client.secret,
    );
    const [address = '', verifier = '', secret = ''] = printed.split('\n');
    const session = { CODE_VERIFIER: verifier, CLIENT_SECRET: secret };
    const paste = async (name: string, typed: string) =>
      languages.shell(codeOf(quickstart[name], 'shell'), session, typed);
    const tokens: Tokens = JSON.parse(await paste('exchange', await allow(address)));
    const profile: unknown = JSON.parse(await paste('call', tokens.access_token));
    const refreshed: Tokens = JSON.parse(await paste('refresh', tokens.refresh_token));
    const revoked = await paste('revoke', refreshed.refresh_token);
    const afterwards: unknown = JSON.parse(await paste('call', refreshed.access_token));

    expect(tokens.expires_in).toBe(1800);
    expect(profile).toMatchObject({ status: 'success' });
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    expect(revoked).toBe('');
    expect(afterwards).toMatchObject({ status: 'error' });
  });

  test('as a module they do the same (contract §3 to §5)', async () => {
    const { client, quickstart, allow } = await meet(type);
    const secret = { LATCHKEY_CLIENT_SECRET: client.secret ?? '' };
    const steps = ['exchange', 'call', 'refresh', 'revoke']
      .map((name) => codeOf(quickstart[name], 'javaScript'))
      .join('\n');
    const drive = `
const tokens = await exchangeCode(process.env.CODE, process.env.VERIFIER);
const profile = await fetchProfile(tokens.access_token);
const refreshed = await refreshTokens(tokens.refresh_token);
await revoke(refreshed.refresh_token);
const end = await fetchProfile(refreshed.access_token).catch(() => 'ended');
console.log(JSON.stringify({ tokens, profile, refreshed, end }));`;

    const printed = await languages.javaScript(
      `${codeOf(quickstart['authorize'], 'javaScript')}\nconsole.log(codeVerifier);`,
    );
    const [address = '', verifier = ''] = printed.split('\n');
    const variables = { CODE: await allow(address), VERIFIER: verifier, ...secret };
    const { tokens, profile, refreshed, end } = JSON.parse(
      await languages.javaScript(steps + drive, variables),
    );

    expect(tokens).toMatchObject({ expires_in: 1800, token_type: 'bearer' });
    expect(profile).toMatchObject({ weekStart: 'Monday' });
    expect(end).toBe('ended');
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  });
});

test.each(scopeNames)(
  'with %s alone the call is one that this scope opens, in both languages (contract §6)',
  async (scope) => {
    const client = { id: 'c', type: 'public', redirectUri: 'https://x.example/' } as const;
    const step = quickstartOf(client, [scope])['call'];
    const name = /async function (\w+)/.exec(codeOf(step, 'javaScript'))?.[1];
    const { token } = await represent(service, { scopes: [scope] });

    const printed = await languages.shell(codeOf(step, 'shell'), {}, token);
    const data = await languages.javaScript(
      `${codeOf(step, 'javaScript')}\nconsole.log(JSON.stringify(await ${name}(process.env.TOKEN)));`,
      { TOKEN: token },
    );

    expect(JSON.parse(printed)).toMatchObject({ status: 'success', data: JSON.parse(data) });
  },
);

/** A client whose redirect URI is as odd as may be registered, its quickstart, and a user who allows what an address asks for. */
async function meet(type: ClientType) {
  const odd =
    type === 'public' ? `com.example.app:/it's/$HOME` : `https://app.example/it's/$HOME?a=1&b=$(id)`;
  const client = await addClient(service, { type, redirectUris: [odd] });
  const cookie = await signIn(service, await addUser(service));
  const allow = async (address: string): Promise<string> => {
    const asked = Object.fromEntries(new URL(address).searchParams);
    const decision = await openDecision(service, asked, cookie);
    const { parameters } = redirectOf(await decide(service, decision, 'allow', cookie));
    const answer = Object.fromEntries(parameters);
    expect(answer['state']).toBe(asked['state']);
    return answer['code'] ?? '';
  };
  return { client, allow, quickstart: quickstartOf(client) };
}

describe('what a quickstart says', () => {
  const origins = { appUrl: 'https://app.example', apiUrl: 'https://api.example', lifetimes };

  test('uses the first of several redirect URIs, and knows that there are more', () => {
    const redirectUris = ['https://one.example/', 'https://two.example/'];

    const { redirectUri, hasMore, steps } = describeQuickstart(
      { id: 'c', type: 'public', redirectUris, scopes: null },
      origins,
    );

    expect([redirectUri, hasMore]).toEqual(['https://one.example/', true]);
    expect(JSON.stringify(steps)).not.toContain('two.example');
  });

  test('goes to the two origins of the configuration (contract §1)', () => {
    const client = { id: 'c', type: 'public', redirectUris: ['x:/'], scopes: null } as const;

    const { steps } = describeQuickstart(client, origins);

    const [authorize, ...others] = steps;
    expect(authorize?.text).toContain('check that state is yours and iss is https://app.example.');
    expect(others[0]?.text).toContain('It works once, for 45 seconds.');
    expect(authorize?.shell).toContain("'https://app.example/auth/oauth2/authorize?");
    for (const { shell, javaScript } of others) {
      expect(shell).toContain("'https://api.example/v2/");
      expect(javaScript).toContain('"https://api.example/v2/');
    }
  });

  test.each([
    ['confidential', true],
    ['public', false],
  ] as const)('of a %s client mentions the place of a secret: %s', (type, mentions) => {
    const client = { id: 'c', type, redirectUris: ['https://x.example/'], scopes: null };

    const { steps } = describeQuickstart(client, origins);

    const shell = steps.map((step) => step.shell).join('\n');
    const javaScript = steps.map((step) => step.javaScript).join('\n');
    expect(shell.includes('"client_secret=$CLIENT_SECRET"')).toBe(mentions);
    expect(javaScript.includes('client_secret: process.env.LATCHKEY_CLIENT_SECRET')).toBe(mentions);
    expect(`${shell}${javaScript}`.includes('client_secret')).toBe(mentions);
  });
});
