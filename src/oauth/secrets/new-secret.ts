import type { RootSecret } from '../../io/root-secret.ts';
import type { NewSecret } from '../clients/store.ts';
import { toBase64url } from '../core/bytes.ts';
import type { Hash } from '../core/crypto.ts';
import { uuidOfBytes } from '../core/opaque-token.ts';
import { formatClientSecret, hashClientSecret, hintOfClientSecret } from '../core/secret.ts';

const uuidBytes = 16;

/**
 * The secret that a form of the secrets page adds to a client. Secret and id are MACs of the client and the form's random id: the same form
 * sent twice means the same secret, which is not stored all the same, and whoever knows the form's id alone knows nothing.
 */
export async function makeSecret(
  { rootSecret, hash }: { readonly rootSecret: RootSecret; readonly hash: Hash },
  clientId: string,
  formId: string,
): Promise<{ readonly secret: string; readonly stored: NewSecret }> {
  const form = Buffer.from(JSON.stringify([clientId, formId]));
  const secret = formatClientSecret(rootSecret.mac('client-secret', form));
  const id = uuidOfBytes(rootSecret.mac('client-secret-id', form).subarray(0, uuidBytes));
  const secretHash = toBase64url(await hashClientSecret(secret, hash));
  return { secret, stored: { id, secretHash, hint: hintOfClientSecret(secret) } };
}
