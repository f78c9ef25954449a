import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

/** The programs of a package's pages, by the names that their first lines have. */
export async function programsOf(modules: string): Promise<ReadonlyMap<string, string>> {
  const pages = (await readdir(modules, { recursive: true })).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(pages.map((name) => readFile(join(modules, name), 'utf8')));
  return new Map(
    texts.flatMap((text) =>
      [...text.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(
        ([, name = '', program = '']) => [name, program] as const,
      ),
    ),
  );
}

export async function writePrograms(folder: string, programs: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, program] of programs) await writeFile(join(folder, name), program);
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** What the README says to set. */
export const settings = {
  SECRET: 'a secret of the pages, of 32 bytes',
  CLIENT_SECRET: 'lks_secret',
  SIGNING_KEY: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'key' }),
};

async function isListening(port: number): Promise<boolean> {
  return fetch(`http://localhost:${port}/`).then(
    () => true,
    () => false,
  );
}

async function start(folder: string, program: string, port: number, env: NodeJS.ProcessEnv) {
  const running: ChildProcess = spawn(process.execPath, [program], { cwd: folder, env, stdio: 'pipe' });
  const said: string[] = [];
  running.stderr?.on('data', (text) => said.push(String(text)));
  while (running.exitCode === null && !(await isListening(port)))
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(running.exitCode, said.join('')).toBeNull();
  return async () => {
    const ended = once(running, 'exit');
    running.kill();
    await ended;
  };
}

const clientId = 'notes-app';
const redirectUri = 'https://app.example/callback';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** `main.js` is a server alone; the others have an API in their process, too. */
export const servers = ['main.js', 'with-api.js', 'hono.js', 'fastify.js'];

/** An app and a person use a server of the pages, and an API in another process that accepts its tokens. */
export async function useServer(folder: string, program: string, environment: NodeJS.ProcessEnv) {
  const [port, apiPort] = [await findFreePort(), await findFreePort()];
  const issuer = `http://localhost:${port}`;
  const given = { ...environment, ...settings, ISSUER: issuer, AUDIENCE: issuer };
  const env = { ...given, PORT: String(port), NOTES_PORT: String(apiPort) };
  const stop = await start(folder, program, port, env);
  try {
    const stopApi = await start(folder, 'notes.js', apiPort, env);
    try {
      await useAsApp(issuer, `http://localhost:${apiPort}/`, program !== 'main.js');
    } finally {
      await stopApi();
    }
  } finally {
    await stop();
  }
}

async function useAsApp(issuer: string, api: string, hasOwnApi: boolean): Promise<void> {
  const metadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
  const asked = { client_id: clientId, redirect_uri: redirectUri, state: 's', code_challenge: challenge };
  const page = `${metadata.authorization_endpoint}?${new URLSearchParams(asked)}`;
  const [, formToken = ''] = /name="form_token" value="([^"]+)"/.exec(await (await fetch(page)).text()) ?? [];
  const form = new URLSearchParams({ action: 'allow', form_token: formToken });
  const allowed = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  const code = new URL(allowed.headers.get('location') ?? issuer).searchParams.get('code') ?? '';
  const post = async (url: string, fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ client_id: clientId, ...fields });
    const answer = await fetch(url, { method: 'POST', body });
    return { status: answer.status, body: await answer.json() };
  };
  const twenty = (fields: Readonly<Record<string, string>>) =>
    Promise.all(Array.from({ length: 20 }, () => post(metadata.token_endpoint, fields)));
  const exchange = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier };
  const won = (await twenty({ ...exchange, code })).filter(({ status }) => status === 200);
  const { refresh_token } = won[0]?.body ?? {};
  const refreshed = await twenty({ grant_type: 'refresh_token', refresh_token });
  const token = refreshed[0]?.body.access_token;
  const read = async (url: string) => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return [answer.status, await answer.json()];
  };

  expect(won).toHaveLength(1);
  expect(refreshed.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(new Set(refreshed.map(({ body }) => body.refresh_token)).size).toBe(1);
  if (hasOwnApi) expect(await read(`${issuer}/`)).toEqual([200, { hello: 'ann' }]);
  expect(await read(api)).toEqual([200, { notesOf: 'ann' }]);

  const revoked = await post(metadata.revocation_endpoint, { token: refreshed[0]?.body.refresh_token });

  expect(revoked.status).toBe(200);
  if (hasOwnApi) expect((await read(`${issuer}/`))[0]).toBe(401);
  expect((await read(api))[0]).toBe(401);
}

const calls = `
import { approve } from './endpoints.js';
import { adopt, replace } from './migrate.js';

const approval = JSON.parse(process.env.APPROVAL);
const post = async (fields) => {
  const body = new URLSearchParams({ client_id: approval.clientId, ...fields });
  const answer = await fetch(process.env.ISSUER + '/oauth/token', { method: 'POST', body });
  return answer.status;
};
const exchange = { grant_type: 'authorization_code', redirect_uri: approval.redirectUri };
const exchanged = await post({ ...exchange, code: await approve(approval), code_verifier: process.env.VERIFIER });
const { refresh_token } = await replace(await adopt(approval));
const refreshed = await post({ grant_type: 'refresh_token', refresh_token });
process.stdout.write(exchanged + ' ' + refreshed, () => process.exit());
`;

/** A page elsewhere approves an app, and an old refresh token is replaced: the endpoints take what comes of it. */
export async function useEndpoints(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  await writeFile(join(folder, 'calls.js'), calls);
  const port = await findFreePort();
  const approval = { clientId, userId: 'ann', scopes: ['notes:read'], redirectUri, codeChallenge: challenge };
  const { stdout } = await promisify(execFile)(process.execPath, ['calls.js'], {
    cwd: folder,
    env: {
      ...{ ...environment, ...settings, VERIFIER: verifier, APPROVAL: JSON.stringify(approval) },
      ...{ PORT: String(port), ISSUER: `http://localhost:${port}` },
    },
  });
  expect(stdout).toBe('200 200');
}
