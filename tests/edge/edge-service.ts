import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { bundleWorker } from '../../examples/edge-token-service/bundle.ts';
import { atTheEnd } from '../support/at-the-end.ts';

export const issuer = 'https://edge.example';
export const redirectUri = 'https://app.example/callback';
const secret = 'edge-secret';
export const clientFields = {
  public: { client_id: 'public-app' },
  confidential: { client_id: 'confidential-app', client_secret: secret },
} as const;
export type Fields = Readonly<Record<string, string>>;

/** The example in workerd, with storage that survives a restart. */
export interface EdgeService {
  readonly url: string;
  readonly keyId: string;
  readonly privateKey: KeyObject;
  /** Kills workerd, and starts it again on the same storage. */
  restart(): Promise<void>;
  /** The code of a new grant, as the consent page gets it. */
  approve(changes?: object): Promise<string>;
  token(fields: Fields): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const example = join(import.meta.dirname, '../../examples/edge-token-service');
const workerd: unknown = createRequire(import.meta.url)('workerd');
const { default: workerdBinary } = z.object({ default: z.string() }).parse(workerd);
const listening = z.object({ event: z.literal('listen'), socket: z.string(), port: z.number() });
const approved = z.object({ code: z.string() });
const answerBody = z.record(z.string(), z.unknown());

/** `worker`: another than the example's. */
export async function openEdgeService(worker?: string): Promise<EdgeService> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-edge-'));
  atTheEnd(() => rm(folder, { recursive: true }));
  await bundleWorker(join(folder, 'dist/worker.js'), worker);
  await cp(join(example, 'config.capnp'), join(folder, 'config.capnp'));
  await mkdir(join(folder, 'grants'));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const secretHash = createHash('sha256').update(secret).digest('base64url');
  const client = { status: 'accepted', redirectUris: [redirectUri], scopes: 'all', requiresPkce: false };
  const environment = {
    ISSUER: issuer,
    AUDIENCE: issuer,
    SECRET: randomBytes(32).toString('base64url'),
    SIGNING_KEYS: JSON.stringify([{ ...privateKey.export({ format: 'jwk' }), kid: 'edge-key' }]),
    CLIENTS: JSON.stringify([
      { ...client, id: 'public-app', type: 'public', secrets: [] },
      { ...client, id: 'sign-in-app', type: 'public', secrets: [], scopes: ['openid', 'email'] },
      { ...client, id: 'confidential-app', type: 'confidential', secrets: [{ id: '1', hash: secretHash }] },
    ]),
  };
  const sockets = ['http', 'approvals'];
  let running = await startWorkerd(folder, environment, sockets);
  atTheEnd(() => running.stop());
  return {
    get url() {
      return running.urlOf('http');
    },
    keyId: 'edge-key',
    privateKey,
    async restart() {
      await running.stop();
      running = await startWorkerd(folder, environment, sockets);
    },
    async approve(changes = {}) {
      const grant = { clientId: 'public-app', userId: '7', redirectUri, codeChallenge: null, scopes: 'all' };
      const body = JSON.stringify({ ...grant, ...changes });
      const answer = await fetch(running.urlOf('approvals'), { method: 'POST', body });
      return approved.parse(await answer.json()).code;
    },
    async token(fields) {
      const body = new URLSearchParams(fields);
      const answer = await fetch(`${running.urlOf('http')}/token`, { method: 'POST', body });
      return { status: answer.status, body: answerBody.parse(await answer.json()) };
    },
  };
}

/** workerd as the folder's configuration says, with these sockets on free ports. */
export async function startWorkerd(
  folder: string,
  environment: NodeJS.ProcessEnv,
  sockets: readonly string[],
) {
  const flags = sockets.map((socket) => `--socket-addr=${socket}=127.0.0.1:0`);
  const child = spawn(workerdBinary, ['serve', join(folder, 'config.capnp'), ...flags, '--control-fd=3'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  // An inherited stream would keep the runner waiting where it ends before the tests' last hooks.
  child.stderr?.pipe(process.stderr);
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const control = child.stdio[3];
  if (!(control instanceof Readable)) throw new Error('workerd has no control channel');
  const ports = new Map<string, number>();
  for await (const line of createInterface(control)) {
    const { socket, port } = listening.parse(JSON.parse(line));
    ports.set(socket, port);
    if (ports.size === sockets.length) break;
  }
  if (ports.size < sockets.length) throw new Error('workerd did not start');
  return { urlOf: (socket: string): string => `http://127.0.0.1:${ports.get(socket)}`, stop };
}
