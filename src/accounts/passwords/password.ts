import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressOf, networksOf } from '../../platform/networks.ts';
import { createQueue } from '../../platform/queue/in-memory.ts';
import type { Sentence } from '../../platform/words.ts';

declare module '../../platform/parts.ts' {
  interface PartOptions {
    /** Tests that aren't about it hand in less. */
    readonly passwordCost?: PasswordCost;
  }
}

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly passwords: Passwords;
  }
}

class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
  readonly statusCode = 503;
}

class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
  readonly statusCode = 499;
}

export interface PasswordClient {
  /** The service itself has none. */
  readonly networks: readonly [network: string, around: string];
  readonly isKnown: boolean;
  readonly signal?: AbortSignal;
}

const ourselves: PasswordClient = { networks: ['', ''], isKnown: true };

interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
}

export interface Passwords {
  /** Returns a hash in the PHC string format. Throws what the queue throws. */
  hash(password: string, client?: PasswordClient): Promise<string>;
  /** Without a hash, does the same work and returns false. Throws what the queue throws. */
  isRight(password: string, hash: string | undefined, client?: PasswordClient): Promise<boolean>;
}

/** OWASP recommends these for argon2id: 19 MiB, two passes, one lane. */
export const usualCost: PasswordCost = { memory: 19_456, passes: 2 };
const parallelism = 1;
const tagLength = 32;
const saltBytes = 16;
const derive = promisify(argon2);
const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export function createPasswords({ memory, passes } = usualCost): Passwords {
  /** Each hash takes 19 MiB and a thread: more of them would starve everything else. */
  const openQueue = () =>
    createQueue({ ofKey: 1, ofAround: 1, ofAll: 1, maxWaitingOfKey: 10, maxWaiting: 50 });
  // A flood of strangers keeps nobody out whose browser the account knows (security C56).
  const queues = { known: openQueue(), others: openQueue() };
  const enqueue = async ({ networks, isKnown, signal }: PasswordClient, work: () => Promise<Buffer>) => {
    const queue = queues[isKnown ? 'known' : 'others']; // protects: C56
    signal?.throwIfAborted();
    if (queue.isFull(networks)) throw new TooManyPasswords('too many passwords wait');
    return queue.add(networks, work, signal);
  };

  async function hash(password: string, client: PasswordClient = ourselves): Promise<string> {
    const salt = randomBytes(saltBytes);
    const cost = { memory, passes, parallelism, tagLength };
    const tag = await enqueue(client, () =>
      derive('argon2id', { ...cost, message: password.normalize('NFC'), nonce: salt }),
    );
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
  }

  /** This hash makes an unknown account cost as much time as a known one. */
  const nobody = hash(randomBytes(32).toString('base64'));

  async function isRight(password: string, known: string | undefined, client: PasswordClient = ourselves) {
    // protects: C26
    const [, m, t, p, salt, tag] = phc.exec(known ?? (await nobody)) ?? [];
    if (salt === undefined || tag === undefined)
      throw new Error('a stored password hash is not argon2id in PHC format');
    const expected = Buffer.from(tag, 'base64');
    const cost = { memory: Number(m), passes: Number(t), parallelism: Number(p), tagLength: expected.length };
    const derived = await enqueue(client, () =>
      derive('argon2id', {
        ...cost,
        message: password.normalize('NFC'),
        nonce: Buffer.from(salt, 'base64'),
      }),
    );
    return timingSafeEqual(derived, expected) && known !== undefined;
  }

  return { hash, isRight };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** `isKnown`: the account knows the browser, or something else proves whose it is. */
export function passwordClientOf(
  request: FastifyRequest,
  { raw }: FastifyReply,
  isKnown: boolean,
): PasswordClient {
  const controller = new AbortController();
  const check = (): void => {
    if (raw.destroyed && !raw.writableFinished) controller.abort(new ClientLeft('the client disconnected'));
  };
  raw.once('close', check);
  check();
  return { networks: networksOf(clientAddressOf(request)), isKnown, signal: controller.signal };
}

/** A longer text is as weak as its beginning, and takes more than a few milliseconds. */
const maxChecked = 32;
/** zxcvbn gives these to what is guessed within 10^6 tries. */
const weakScores: readonly number[] = [0, 1]; // protects: C61

let checker: ReturnType<typeof loadChecker> | undefined;

/** Loads large lists when someone chooses a password, which few requests do. */
async function loadChecker() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  // These settings find `p@$$w0rd`; trying all combinations would take 200 ms.
  return new ZxcvbnFactory({ l33tMaxSubstitutions: 4, dictionary, graphs: adjacencyGraphs });
}

/** Finds common passwords, and those made from the email or username (security C61). */
export async function isWeakPassword(
  password: string,
  { email, username }: { readonly email: string; readonly username: string | null },
): Promise<boolean> {
  checker ??= loadChecker();
  const own = [email, email.split('@')[0] ?? '', username ?? ''].filter((text) => text !== '');
  const cut = (text: string): string => text.slice(0, maxChecked);
  return weakScores.includes((await checker).check(cut(password), own.map(cut)).score);
}

export const weakPassword: Sentence =
  'This password is easy to guess. Use a few unrelated words, and not your email or username.';
