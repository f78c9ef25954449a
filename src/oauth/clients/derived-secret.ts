import type { RootSecret } from '../../io/root-secret.ts';
import { toBase64url } from '../core/bytes.ts';
import type { Hash } from '../core/crypto.ts';
import { uuidOfBytes } from '../core/opaque-token.ts';
import { formatClientSecret, hashClientSecret, hintOfClientSecret } from '../core/secret.ts';
import type { NewSecret } from './store.ts';

const uuidBytes = 16;

export interface DerivedSecret {
  /** To be shown once. */
  readonly secret: string;
  readonly stored: NewSecret;
}

/**
 * The secret that a form makes for a client: the form that registers it, or one that adds a secret. Secret and id are MACs of the client and the
 * form's random id: the same form sent twice means the same secret, which is not stored all the same, and whoever knows the form's id alone knows
 * nothing.
 */
export async function deriveSecret(
  { rootSecret, hash }: { readonly rootSecret: RootSecret; readonly hash: Hash },
  clientId: string,
  formId: string,
): Promise<DerivedSecret> {
  const form = Buffer.from(JSON.stringify([clientId, formId]));
  const secret = formatClientSecret(rootSecret.mac('client-secret', form));
  const id = uuidOfBytes(rootSecret.mac('client-secret-id', form).subarray(0, uuidBytes));
  const secretHash = toBase64url(await hashClientSecret(secret, hash));
  return { secret, stored: { id, secretHash, hint: hintOfClientSecret(secret) } };
}
