import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Asker, createPasswordQueue } from './password-queue.ts';

export const passwordMinLength = 10;
export const passwordMaxLength = 128;

/** OWASP's argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const saltBytes = 16;
/** Each hash takes 19 MiB and a thread: more at once would starve everything else. */
const inTurn = createPasswordQueue({ atOnce: 2, mostWaiting: 50, mostOfOneNetwork: 10 });
const derive = promisify(argon2);

/**
 * A password's argon2id hash in the PHC string format.
 *
 * @throws TooManyPasswords
 * @throws TooManyOfOneNetwork
 * @throws AskerLeft
 */
export async function hashPassword(password: string, asker: Asker = {}): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await inTurn(asker, () =>
    derive('argon2id', { ...cost, message: password.normalize('NFC'), nonce: salt }),
  );
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** Nobody's password, so that an unknown account costs as much time as a known one. */
const nobody = hashPassword(randomBytes(32).toString('base64'));

/**
 * Whether the password is the one that was hashed. Without a hash the same work is done, and the answer is no.
 *
 * @throws TooManyPasswords
 * @throws TooManyOfOneNetwork
 * @throws AskerLeft before the password was looked at
 */
export async function isPassword(
  password: string,
  hash: string | undefined,
  asker: Asker = {},
): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = phc.exec(hash ?? (await nobody)) ?? [];
  if (salt === undefined || tag === undefined)
    throw new Error('a stored password hash is not argon2id in PHC format');
  const expected = Buffer.from(tag, 'base64');
  const derived = await inTurn(asker, () =>
    derive('argon2id', {
      message: password.normalize('NFC'),
      nonce: Buffer.from(salt, 'base64'),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(derived, expected) && hash !== undefined;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
