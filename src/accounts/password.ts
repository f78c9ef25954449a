import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

export const passwordMinLength = 10;
export const passwordMaxLength = 128;

/** OWASP's argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const saltBytes = 16;
/** Each hash takes 19 MiB and a thread: more at once would starve everything else. */
const atOnce = pLimit(2);
const mostWaiting = 50;
const derive = promisify(argon2);

/** More people sign in at once than can be served in a few seconds; the pages answer 503, and that it is worth trying again. */
class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
  readonly statusCode = 503;
}

/** Nobody waits for the answer any more. */
class AskerLeft extends Error {
  override readonly name = 'AskerLeft';
  readonly statusCode = 499;
}

/**
 * In turn, and refused while the queue is long: whoever floods it must not make everybody wait for minutes. Whoever has left by the
 * time of their turn is passed over.
 */
async function inTurn<Value>(work: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (atOnce.pendingCount >= mostWaiting) throw new TooManyPasswords('too many passwords to look at');
  return atOnce(async () => {
    if (signal?.aborted) throw new AskerLeft('whoever asked has left');
    return work();
  });
}

/**
 * A password's argon2id hash in the PHC string format. `signal` tells that nobody waits for it any more.
 *
 * @throws TooManyPasswords
 * @throws AskerLeft
 */
export async function hashPassword(password: string, signal?: AbortSignal): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await inTurn(
    () => derive('argon2id', { ...cost, message: password.normalize('NFC'), nonce: salt }),
    signal,
  );
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** Nobody's password, so that an unknown account costs as much time as a known one. */
const nobody = hashPassword(randomBytes(32).toString('base64'));

/**
 * Whether the password is the one that was hashed. Without a hash the same work is done, and the answer is no. `signal` tells that
 * nobody waits for it any more.
 *
 * @throws TooManyPasswords
 * @throws AskerLeft before the password was looked at
 */
export async function isPassword(
  password: string,
  hash: string | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = phc.exec(hash ?? (await nobody)) ?? [];
  if (salt === undefined || tag === undefined)
    throw new Error('a stored password hash is not argon2id in PHC format');
  const expected = Buffer.from(tag, 'base64');
  const derived = await inTurn(
    () =>
      derive('argon2id', {
        message: password.normalize('NFC'),
        nonce: Buffer.from(salt, 'base64'),
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
        tagLength: expected.length,
      }),
    signal,
  );
  return timingSafeEqual(derived, expected) && hash !== undefined;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
