import { errors, type JSONWebKeySet } from 'jose';
import type { Runtime } from '../platform/runtime.ts';
import { type KeyLookup, keysOfJwks } from './core/access-token.ts';
import { activeKeyOf, decideKeyStates } from './core/key-rotation.ts';

export interface PublicKey {
  readonly id: string;
  readonly publicJwk: Readonly<Record<string, string>>;
}

export interface HeldKey<Signs> extends PublicKey {
  readonly activeAt: Date;
  readonly signer: Signs;
}

/** Anybody can send a token whose key nobody has. */
const readAgainMs = 1000;

/** Holds the keys of one algorithm, the newest first, as `read` has returned them. */
export function holdKeys<Signs>(
  algorithm: 'ES256' | 'RS256',
  read: () => Promise<readonly HeldKey<Signs>[]>,
  { now }: Pick<Runtime, 'now'>,
) {
  let held: readonly HeldKey<Signs>[] = [];
  let readAt = new Date(0);
  let reading: Promise<void> | undefined;
  let lookUp = lookUpIn(held);

  function publish(keys: readonly PublicKey[]): JSONWebKeySet {
    return {
      keys: keys.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, alg: algorithm, use: 'sig' })),
    };
  }

  /** Another instance's key may be newer than what this one has read (docs/operations.md). */
  function lookUpIn(keys: readonly HeldKey<Signs>[]): KeyLookup {
    const find = keysOfJwks(publish(keys));
    return async (...token) => {
      try {
        return await find(...token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        if (now().getTime() - readAt.getTime() >= readAgainMs) await renew();
        else await reading;
        return keysOfJwks(publish(held))(...token);
      }
    };
  }

  function renew(): Promise<void> {
    reading ??= readAgain().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function readAgain(): Promise<void> {
    const known = held;
    readAt = now();
    held = await read();
    // Tokens verified before stay remembered while the keys stay.
    if (!held.every(({ id }, index) => id === known[index]?.id) || held.length !== known.length)
      lookUp = lookUpIn(held);
  }

  return {
    algorithm,
    renew,
    has: (id: string | undefined) => held.some((key) => key.id === id),
    lookUp: () => lookUp,
    lookUpIn: (...keys: readonly PublicKey[]) => keysOfJwks(publish(keys)),
    published: () => publish(decideKeyStates(held, now()).published),
    signer() {
      const active = activeKeyOf(held, now());
      if (active === undefined) throw new Error('no signing key is active');
      return active.signer;
    },
    isFilled: () => held.length > 0,
    async fill(): Promise<void> {
      if (held.length === 0) await renew();
    },
    async settle(): Promise<void> {
      await reading?.catch(() => undefined);
    },
  };
}
