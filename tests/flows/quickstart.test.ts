import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeQuickstart } from '../../src/oauth/clients/quickstart/quickstart.ts';
import {
  highlight,
  type Language,
  languages,
  quoteForCode,
  quoteForShell,
} from '../../src/oauth/clients/quickstart/snippets.ts';
import type { ClientType } from '../../src/oauth/core/client.ts';
import type { Scope } from '../../src/oauth/core/scope.ts';
import { loadParts } from '../../src/parts.ts';
import { represent } from '../support/api.ts';
import { decide, openDecision } from '../support/authorization.ts';
import { addOwnedClient } from '../support/failed-requests.ts';
import { findFreePort } from '../support/free-port.ts';
import { textOf } from '../support/page-content.ts';
import { permissions } from '../support/permissions.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestSite } from '../support/site.ts';
import {
  addClient,
  addUser,
  type ClientOptions,
  signIn,
  type TestClient,
  type Tokens,
} from '../support/world.ts';

const service = await openTestSite();
const { appUrl } = service;
const identity = (await loadParts()).find(({ oauth }) => oauth?.identity)?.oauth?.identity;
const withSignIn = {
  ...permissions,
  known: [...permissions.known, ...(identity?.scopes ?? []).map(({ name }) => name)],
  identity,
};
const lifetimes = { codeSeconds: 45 };
const run = promisify(execFile);
const shells = ['bash', 'zsh'].filter((command) => spawnSync(command, ['--version']).status === 0);

/** How each language runs a script. */
const commands = {
  shell: ['bash', '-euc'],
  javascript: [process.execPath, '--input-type=module', '-e'],
} as const satisfies Record<Language, readonly string[]>;
const env = { PATH: process.env['PATH'], LATCHKEY_CLIENT_SECRET: 'unused' };

/** What a script prints, with a line that a user types when it asks. */
async function print(language: Language, script: string, typed = 'typed') {
  const [command, ...options] = commands[language];
  const running = run(command, [...options, script], { env });
  // A script that asks nothing may end before anyone has typed.
  running.child.stdin?.on('error', () => {}).end(`${typed}\n`);
  return running;
}

/** Starts a program that a user talks with. */
function start(command: string, options: readonly string[], secret = '') {
  const child = spawn(command, options, { env: { ...env, LATCHKEY_CLIENT_SECRET: secret } });
  onTestFinished(() => void child.kill());
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = once(child.stdout, 'end').then(() => {
    throw new Error(`ended after: ${printed}`);
  });
  ended.catch(() => {});
  return {
    enter: (text: string) => void child.stdin.write(`${text}\n`),
    /** What was printed since the last call, up to the pattern. */
    until: async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const found = pattern.exec(printed);
        if (found !== null) {
          const end = found.index + found[0].length;
          const text = printed.slice(0, end);
          printed = printed.slice(end);
          return text;
        }
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
    output: async (): Promise<string> => {
      await ended.catch(() => {});
      return printed;
    },
  };
}

/** Pastes steps of a quickstart, each with what is typed after it, and answers what they print. */
function openShell(shell: string, codeOf: (name: string) => string) {
  const { enter, until } = start(shell, []);
  const paste = async (name: string, typed?: string): Promise<string> => {
    enter(codeOf(name));
    if (typed !== undefined) enter(typed);
    enter("printf '%s\\n' DONE");
    return until(/^DONE$/m);
  };
  return { enter, paste };
}

const addressIn = (text: string): string => /http\S+state=\S+/.exec(text)?.[0] ?? '';
const bodiesIn = (text: string): unknown[] =>
  [...text.matchAll(/^(?:Address: )?(\{.*\})$/gm)].map(([, body = '']) => JSON.parse(body));
const statusesIn = (text: string): (string | undefined)[] =>
  [...text.matchAll(/^HTTP (\d+)$/gm)].map(([, status]) => status);

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
  language: Language,
  scopes: readonly Scope[] | null = null,
) {
  const { steps } = describeQuickstart(
    { id: client.id, type: client.type, redirectUris: [client.redirectUri], scopes },
    { appUrl, apiUrl: appUrl, lifetimes },
    language,
    withSignIn,
  );
  const codeOf = (name: string): string => steps.find((step) => step.name === name)?.code ?? '';
  return { codeOf, whole: steps.map(({ code }) => code).join('\n\n') };
}

describe('a quoted text is that text again, whatever stands in it', () => {
  const texts = [...oddTexts, ...fc.sample(text, 300)].filter((one) => !one.includes('\0'));

  test('in a shell', async () => {
    const { stdout } = await print('shell', `printf '%s\\0' ${texts.map(quoteForShell).join(' ')}`);

    expect(stdout.split('\0').slice(0, -1)).toEqual(texts);
  });

  test('in JavaScript, also where a script stands inside a page', async () => {
    const literals = texts.map(quoteForCode);

    const { stdout } = await print('javascript', `console.log(JSON.stringify([${literals.join(', ')}]))`);

    expect(JSON.parse(stdout)).toEqual(texts);
    expect(literals.join('')).not.toMatch(/<\/script|<!--/);
  });
});

test('code that is colored is the same code, whatever stands in it', () => {
  fc.assert(
    fc.property(
      text,
      (code) =>
        highlight(code)
          .map((piece) => piece.text)
          .join('') === code,
    ),
  );
  const { whole } = quickstartOf({ id: 'c', type: 'public', redirectUri: oddTexts[0] }, 'javascript');
  const kinds = highlight(whole).flatMap(({ text: code, kind }) => (kind === 'comment' ? [code] : []));
  expect(kinds).toEqual(['// The cookie ties the answer to the browser that asked.']);
});

describe.each(oddTexts)('with the redirect URI %s', (redirectUri) => {
  const client = { id: 'c1', type: 'confidential', redirectUri } as const;

  test('the shell sends exactly these fields, encoded as a form', async () => {
    const { codeOf } = quickstartOf(client, 'shell');
    // In the place of curl: prints its arguments.
    const spy = `curl() { printf '%s\\0' "$@" >&2; }\nLATCHKEY_CLIENT_SECRET='s$1'\n`;
    const variables = `CLIENT_ID=c1 CODE_VERIFIER=v REDIRECT_URI=${quoteForShell(redirectUri)}\n`;

    const { stderr } = await print(
      'shell',
      `${spy}${variables}${codeOf('exchange')}`,
      'x:/?iss=i&code=a%b&state=s',
    );

    const [, , address, ...others] = stderr.split('\0').slice(0, -1);
    expect(address).toBe(`${appUrl}/v2/auth/oauth2/token`);
    expect(others.slice(2).filter((_argument, index) => index % 2 === 1)).toEqual([
      'client_id=c1',
      'client_secret=s$1',
      'grant_type=authorization_code',
      'code=a%b',
      `redirect_uri=${redirectUri}`,
      'code_verifier=v',
    ]);
    expect(new Set(others.slice(2).filter((_argument, index) => index % 2 === 0))).toEqual(
      new Set(['--data-urlencode']),
    );
  });

  test('the address that the shell prints asks for it', async () => {
    const { stdout } = await print('shell', quickstartOf(client, 'shell').codeOf('authorize'));

    const { origin, pathname, searchParams } = new URL(addressIn(stdout));
    expect(`${origin}${pathname}`).toBe(`${appUrl}/auth/oauth2/authorize`);
    expect(searchParams.get('redirect_uri')).toBe(redirectUri);
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get('state')?.length).toBeGreaterThan(20);
  });
});

describe.each(['confidential', 'public'] as const)('for a %s client', (type) => {
  test.each(shells)(
    'pasted into %s the steps lead from the authorization page to a call, a refresh and the end (contract §3 to §5)',
    async (shell) => {
      const { client, allow } = await meet(type);
      const { paste } = openShell(shell, quickstartOf(client, 'shell').codeOf);

      const address = addressIn(await paste('authorize', client.secret));
      const exchanged = await paste('exchange', await allow(address));
      const called = await paste('call');
      const refreshed = await paste('refresh');
      const revoked = await paste('revoke');
      const failed = await paste('refresh');
      const ended = await paste('call');

      const [first, second] = [exchanged, refreshed].map((text) => bodiesIn(text)[0] as Tokens);
      expect(first?.expires_in).toBe(1800);
      expect(bodiesIn(called)).toMatchObject([{ status: 'success' }]);
      expect(second?.refresh_token).not.toBe(first?.refresh_token);
      expect(bodiesIn(revoked)).toEqual([{}]);
      expect([exchanged, called, refreshed, revoked, failed, ended].flatMap(statusesIn)).toEqual([
        ...['200', '200', '200', '200', '400', '401'],
      ]);
    },
  );
});

describe('for an app that signs people in', { tags: 'parts' }, () => {
  const scopes = ['openid', 'email'];

  test.each(shells)(
    'pasted into %s the steps check the ID token and read who signed in (OpenID Connect Core 3.1.3.7)',
    async (shell) => {
      const { client, allow } = await meet('confidential', { scopes });
      const { codeOf } = quickstartOf(client, 'shell', scopes);
      const { enter, paste } = openShell(shell, codeOf);

      const address = addressIn(await paste('authorize', client.secret));
      await paste('exchange', await allow(address));
      const checked = await paste('identify');
      enter('NONCE=another');
      const tampered = await paste('identify');
      const read = await paste('userinfo');
      const refreshed = await paste('refresh');

      expect(new URL(address).searchParams.get('response_type')).toBe('code');
      expect(bodiesIn(checked)).toMatchObject([{ iss: appUrl, aud: client.id }]);
      expect(checked).not.toMatch(/differs|expired/);
      expect(tampered).toContain('nonce differs.');
      expect(bodiesIn(read)).toMatchObject([{ email_verified: true }]);
      expect([read, refreshed].flatMap(statusesIn)).toEqual(['200', '200']);
      expect(codeOf('call')).toBe('');
    },
  );
});

test.each(languages)(
  'for an app that has scopes of other services alone, %s calls nothing that its token doesn’t open',
  (language) => {
    const client = { id: 'c', type: 'public', redirectUri: 'https://x.example/' } as const;

    expect(quickstartOf(client, language, ['notes:read']).whole).not.toContain('/v2/me');
  },
);

describe('when the user denies access', () => {
  const words = /no code\.\s+(?:error=)?access_denied\s+(?:error_description=)?user_denied$/m;

  test.each(shells)('the exchange in %s sends nothing and says why (RFC 6749 §4.1.2.1)', async (shell) => {
    const { client, deny } = await meet('public');
    const { paste } = openShell(shell, quickstartOf(client, 'shell').codeOf);
    const address = addressIn(await paste('authorize'));
    const printed = await paste('exchange', await deny(address));

    expect(printed).toMatch(words);
    expect(statusesIn(printed)).toEqual([]);
  });
});

test.each(scopeNames)('with %s alone the call is one that this scope opens (contract §6)', async (scope) => {
  const client = { id: 'c', type: 'public', redirectUri: 'https://x.example/' } as const;
  const call = quickstartOf(client, 'shell', [scope]).codeOf('call');
  const { token } = await represent(service, { scopes: [scope] });

  const { stdout } = await print('shell', `ACCESS_TOKEN=${token}\n${call}`);

  const [, path = 'none'] = /'(http[^']+)'/.exec(call) ?? [];
  expect(bodiesIn(stdout)).toMatchObject([{ status: 'success' }]);
  expect(quickstartOf(client, 'javascript', [scope]).codeOf('run')).toContain(`'${path}'`);
});

describe('the server in JavaScript', () => {
  const page = `${appUrl}/settings/developer/oauth`;

  /** Reads the program off the page of its owner, as *Copy all* does, and runs it. */
  async function serve(type: ClientType, options: ClientOptions = {}, change = (program: string) => program) {
    const origin = `http://127.0.0.1:${await findFreePort()}`;
    const redirectUris = ['https://app.example/callback', `${origin}/back?from=us`] as const;
    const { client, cookie } = await addOwnedClient(service, { type, redirectUris, ...options });
    const shown = await (await fetch(`${page}/${client.id}/quickstart`, { headers: { cookie } })).text();
    const [, code = ''] = /<button[^>]* data-copy="([^"]*)"[^>]*>Copy all/.exec(shown) ?? [];
    const program = textOf(code);
    await start(process.execPath, ['--input-type=module', '-e', change(program)], client.secret).until(
      /^Open .*\n/m,
    );
    return {
      saved: () => fetch(`${page}/${client.id}/quickstart.mjs`, { headers: { cookie } }),
      shown,
      program,
      /** Goes to the server, which leads to the authorization page, and answers what its user decides. */
      begin: async (action: 'allow' | 'deny') => {
        const { headers } = await fetch(`${origin}/`, { redirect: 'manual' });
        const { answer } = await visitor();
        return {
          cookie: headers.get('set-cookie') ?? '',
          address: await answer(`${headers.get('location')}`, action),
        };
      },
      come: async (address: string, cookie: string) => {
        const answer = await fetch(address, { headers: { cookie } });
        const text = await answer.text();
        return { status: answer.status, text, second: answer.headers.get('x-second') };
      },
    };
  }

  test.each(['confidential', 'public'] as const)(
    'of a %s client leads from its first page to what the API answers, refreshes and revokes (contract §3 to §5)',
    async (type) => {
      const { begin, come, shown, program, saved } = await serve(type, {}, (text) => {
        const further = quickstartOf({ id: 'c', type, redirectUri: 'https://x.example/' }, 'javascript');
        const steps = ['refresh', 'revoke'].map(further.codeOf).join('\n');
        return text.replace(
          '  response.writeHead(200',
          `${steps}\n  response.setHeader('x-second', (await refreshed.json()).expires_in);\n$&`,
        );
      });
      const back = await begin('allow');

      const came = await come(back.address, back.cookie);
      const again = await come(back.address, back.cookie);
      const file = await saved();

      expect(came.status).toBe(200);
      expect(JSON.parse(came.text)).toMatchObject({ data: { weekStart: 'Monday' } });
      expect(came.second).toBe('1800');
      expect(again).toMatchObject({ status: 400, text: expect.stringContaining('code_invalid_or_expired') });
      expect(program.split('\n').length).toBeLessThanOrEqual(35);
      expect(Math.max(...program.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
      expect(await file.text()).toBe(`${program}\n`);
      expect(file.headers.get('content-disposition')).toBe('attachment; filename="quickstart.mjs"');
      expect(shown).not.toContain('None of your redirect URIs');
    },
  );

  test('of an app that signs people in reads who they are', { tags: 'parts' }, async () => {
    const { begin, come, shown } = await serve('confidential', { scopes: ['openid', 'email'] });
    const back = await begin('allow');

    const came = await come(back.address, back.cookie);

    expect(JSON.parse(came.text)).toMatchObject({ email_verified: true });
    expect(textOf(shown)).toMatch(/Userinfo\s+\S+\/userinfo/);
    expect(shown).toContain('/.well-known/openid-configuration');
  });

  test('takes an answer from the browser alone that asked, and tells of a refusal (RFC 6749 §10.12, §4.1.2.1, security C372)', async () => {
    const { begin, come } = await serve('public');
    const [back, denied] = [await begin('allow'), await begin('deny')];

    const answers = [
      await come(back.address, ''),
      await come(back.address, denied.cookie),
      await come(back.address.replace(/iss=[^&]*/, 'iss=x'), back.cookie),
      await come(denied.address, denied.cookie),
      await come(back.address, back.cookie),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 200]);
    expect(answers.map(({ text }) => text).slice(0, 4)).toEqual([
      'state differs',
      'state differs',
      'iss differs',
      expect.stringContaining('error=access_denied'),
    ]);
  });

  test('belongs to the owner of its app alone (security C372)', async () => {
    const { id } = await addClient(service);
    const stranger = await signIn(service, await addUser(service));

    const answers = await Promise.all(
      [stranger, ''].map((cookie) =>
        fetch(`${page}/${id}/quickstart.mjs`, { headers: { cookie }, redirect: 'manual' }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 303]);
  });
});

/** A client whose redirect URI is as odd as may be registered, and a user who allows or denies what an address asks for and copies the address that the browser shows. */
async function meet(type: ClientType, options: ClientOptions = {}) {
  const odd =
    type === 'public' ? `com.example.app:/it's/$HOME` : `https://app.example/it's/$HOME?a=1&b=$(id)`;
  const client = await addClient(service, { type, redirectUris: [odd], ...options });
  const { answer } = await visitor();
  return {
    client,
    allow: (page: string) => answer(page, 'allow'),
    deny: (page: string) => answer(page, 'deny'),
  };
}

async function visitor() {
  const cookie = await signIn(service, await addUser(service));
  const answer = async (page: string, action: 'allow' | 'deny'): Promise<string> => {
    const asked = Object.fromEntries(new URL(page).searchParams);
    const decision = await openDecision(service, asked, cookie);
    const { headers } = await decide(service, decision, action, cookie);
    const address = String(headers.location);
    expect(new URL(address).searchParams.get('state')).toBe(asked['state']);
    return address;
  };
  return { answer };
}

describe.each(languages)('what a quickstart in %s says', (language) => {
  const origins = { appUrl: 'https://app.example', apiUrl: 'https://api.example', lifetimes };
  const redirectUris = ['https://one.example/', 'https://two.example/'];
  const describeFor = (type: ClientType) =>
    describeQuickstart({ id: 'c', type, redirectUris, scopes: null }, origins, language, withSignIn);

  test('uses the first of several redirect URIs', () => {
    const { redirectUri, steps } = describeFor('public');

    expect(redirectUri).toBe('https://one.example/');
    expect(JSON.stringify(steps)).not.toContain('two.example');
  });

  test('goes to the two origins of the configuration (contract §1)', () => {
    const { steps } = describeFor('public');
    const code = steps.map((step) => step.code).join('\n');

    expect(code).toMatch(/["']https:\/\/app\.example\/auth\/oauth2\/authorize\?/);
    for (const path of ['token', 'revoke'])
      expect(code).toMatch(new RegExp(`["']https://api\\.example/v2/auth/oauth2/${path}`));
    expect(code).toMatch(/["']https:\/\/api\.example\/v2\/me/);
  });

  test.each([
    ['confidential', true],
    ['public', false],
  ] as const)('of a %s client mentions the place of a secret: %s', (type, mentions) => {
    const { steps } = describeFor(type);

    const code = steps.map((step) => step.code).join('\n');
    expect(code.includes('LATCHKEY_CLIENT_SECRET')).toBe(mentions);
    expect(code.includes('client_secret')).toBe(mentions);
  });

  test('uses a redirect URI on the developer’s own computer first', () => {
    const local = 'http://localhost:8010/callback';
    const client = { id: 'c', type: 'public', redirectUris: [...redirectUris, local], scopes: null } as const;

    const { redirectUri, steps } = describeQuickstart(client, origins, language, withSignIn);

    expect(redirectUri).toBe(local);
    expect(JSON.stringify(steps)).toContain(local);
  });
});
