import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeQuickstart } from '../../src/oauth/clients/quickstart/quickstart.ts';
import {
  type Language,
  languages,
  quoteForCode,
  quoteForShell,
} from '../../src/oauth/clients/quickstart/snippets.ts';
import type { ClientType, IdTokenAlgorithm } from '../../src/oauth/core/client.ts';
import type { Scope } from '../../src/oauth/core/scope.ts';
import { loadParts } from '../../src/parts.ts';
import { represent } from '../support/api.ts';
import { decide, openDecision } from '../support/authorization.ts';
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
const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
const shells = ['bash', 'zsh'].filter(isThere);
const programs = (['javascript', 'python'] as const).filter(
  (name) => name !== 'python' || isThere('python3'),
);

/** How each language runs a script. */
const commands = {
  shell: ['bash', '-euc'],
  javascript: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
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
  idTokenAlgorithm: IdTokenAlgorithm = 'RS256',
) {
  const { steps } = describeQuickstart(
    { id: client.id, type: client.type, redirectUris: [client.redirectUri], scopes, idTokenAlgorithm },
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

  test.each(programs)('in %s, also where a script stands inside a page', async (language) => {
    const literals = texts.map(quoteForCode);
    const list = `[${literals.join(', ')}]`;
    const script =
      language === 'python'
        ? `import json; print(json.dumps(${list}))`
        : `console.log(JSON.stringify(${list}))`;

    const { stdout } = await print(language, script);

    expect(JSON.parse(stdout)).toEqual(texts);
    expect(literals.join('')).not.toMatch(/<\/script|<!--/);
  });
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

  test.each(['shell', ...programs] as const)('the address that %s prints asks for it', async (language) => {
    const { stdout } = await print(language, quickstartOf(client, language).codeOf('authorize'));

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

  test.each(programs)('as one file in %s they do the same (contract §3 to §5)', async (language) => {
    const { client, allow } = await meet(type);
    const [command, ...options] = commands[language];
    const program = start(command, [...options, quickstartOf(client, language).whole], client.secret);

    const address = addressIn(await program.until(/^http.*\n/m));
    program.enter(await allow(address));
    const printed = await program.output();

    const [tokens, profile, refreshed] = bodiesIn(printed);
    expect(tokens).toMatchObject({ expires_in: 1800, token_type: 'bearer' });
    expect(profile).toMatchObject({ data: { weekStart: 'Monday' } });
    expect(refreshed).not.toMatchObject({ refresh_token: (tokens as Tokens).refresh_token });
    expect(statusesIn(printed)).toEqual(['200', '200', '200', '200']);
  });
});

describe.each(['RS256', 'ES256'] as const)(
  'for an app that signs people in with %s',
  {
    tags: 'parts',
  },
  (idTokenAlgorithm) => {
    const scopes = ['openid', 'email'];
    const options = { scopes, idTokenAlgorithm };
    const statuses = { shell: 4, javascript: 5, python: idTokenAlgorithm === 'RS256' ? 5 : 4 };

    test.each(shells)(
      'pasted into %s the steps check the ID token and read who signed in (OpenID Connect Core 3.1.3.7)',
      async (shell) => {
        const { client, allow } = await meet('confidential', options);
        const { codeOf } = quickstartOf(client, 'shell', scopes, idTokenAlgorithm);
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

    test.each(programs)('as one file in %s they do the same', async (language) => {
      const { client, allow } = await meet('public', options);
      const [command, ...others] = commands[language];
      const { whole } = quickstartOf(client, language, scopes, idTokenAlgorithm);
      const program = start(command, [...others, whole]);

      program.enter(await allow(addressIn(await program.until(/^http.*\n/m))));
      const printed = await program.output();

      expect(printed).toContain('"email_verified":true');
      expect(statusesIn(printed)).toEqual(Array.from({ length: statuses[language] }, () => '200'));
    });

    test.each(programs)('a forged ID token ends the program in %s', async (language) => {
      const { client, allow } = await meet('public', options);
      const [command, ...others] = commands[language];
      const { whole } = quickstartOf(client, language, scopes, idTokenAlgorithm);
      const forge =
        language === 'python'
          ? "tokens['id_token'] = tokens['id_token'][:-8] + 'AAAAAAAA'\n"
          : "tokens.id_token = tokens.id_token.slice(0, -8) + 'AAAAAAAA';\n";
      const check = language === 'python' ? 'decode = ' : 'const [head, ';
      const program = start(command, [...others, whole.replace(check, `${forge}${check}`)]);

      program.enter(await allow(addressIn(await program.until(/^http.*\n/m))));
      const printed = await program.output();

      // Python leaves the signature of ES256 to TLS.
      const isVerified = language === 'javascript' || idTokenAlgorithm === 'RS256';
      expect(statusesIn(printed).length < statuses[language]).toBe(isVerified);
    });
  },
);

test.each(['shell', ...programs] as const)(
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

  test.each(programs)(
    'the program in %s sends nothing and says why (RFC 6749 §4.1.2.1)',
    async (language) => {
      const { client, deny } = await meet('public');
      const [command, ...options] = commands[language];
      const program = start(command, [...options, quickstartOf(client, language).whole]);
      program.enter(await deny(addressIn(await program.until(/^http.*\n/m))));
      const printed = await program.output();

      expect(printed).toMatch(words);
      expect(statusesIn(printed)).toEqual([]);
    },
  );
});

test.each(scopeNames)('with %s alone the call is one that this scope opens (contract §6)', async (scope) => {
  const client = { id: 'c', type: 'public', redirectUri: 'https://x.example/' } as const;
  const callIn = (language: Language) => quickstartOf(client, language, [scope]).codeOf('call');
  const { token } = await represent(service, { scopes: [scope] });

  const { stdout } = await print('shell', `ACCESS_TOKEN=${token}\n${callIn('shell')}`);

  const [, path = 'none'] = /'(http[^']+)'/.exec(callIn('shell')) ?? [];
  expect(bodiesIn(stdout)).toMatchObject([{ status: 'success' }]);
  for (const language of programs) expect(callIn(language)).toContain(`"${path}"`);
});

/** A client whose redirect URI is as odd as may be registered, and a user who allows or denies what an address asks for and copies the address that the browser shows. */
async function meet(type: ClientType, options: ClientOptions = {}) {
  const odd =
    type === 'public' ? `com.example.app:/it's/$HOME` : `https://app.example/it's/$HOME?a=1&b=$(id)`;
  const client = await addClient(service, { type, redirectUris: [odd], ...options });
  const cookie = await signIn(service, await addUser(service));
  const answer = async (page: string, action: 'allow' | 'deny'): Promise<string> => {
    const asked = Object.fromEntries(new URL(page).searchParams);
    const decision = await openDecision(service, asked, cookie);
    const { headers } = await decide(service, decision, action, cookie);
    const address = String(headers.location);
    expect(new URL(address).searchParams.get('state')).toBe(asked['state']);
    return address;
  };
  return {
    client,
    allow: (page: string) => answer(page, 'allow'),
    deny: (page: string) => answer(page, 'deny'),
  };
}

describe.each(languages)('what a quickstart in %s says', (language) => {
  const origins = { appUrl: 'https://app.example', apiUrl: 'https://api.example', lifetimes };
  const redirectUris = ['https://one.example/', 'https://two.example/'];
  const describeFor = (type: ClientType) =>
    describeQuickstart({ id: 'c', type, redirectUris, scopes: null }, origins, language, withSignIn);

  test('uses the first of several redirect URIs, and knows that there are more', () => {
    const { redirectUri, hasMore, steps } = describeFor('public');

    expect([redirectUri, hasMore]).toEqual(['https://one.example/', true]);
    expect(JSON.stringify(steps)).not.toContain('two.example');
  });

  test('goes to the two origins of the configuration (contract §1)', () => {
    const [authorize, exchange, ...others] = describeFor('public').steps;

    expect(authorize?.text).toContain('check that state is yours and iss is https://app.example.');
    expect(exchange?.text).toContain('A browser error page is fine here');
    expect(exchange?.text).toContain('works once, for 45 seconds.');
    expect(authorize?.code).toMatch(/["']https:\/\/app\.example\/auth\/oauth2\/authorize\?/);
    for (const step of [exchange, ...others]) expect(step?.code).toMatch(/["']https:\/\/api\.example\/v2\//);
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
});
