import { toBase64url } from './bytes.ts';
import type { Hash } from './crypto.ts';
import type { Explanation } from './explanation.ts';
import { secondsBetween } from './grant.ts';
import { hashClientSecret } from './secret.ts';
import { kindOf, mended, spoiltBy } from './token-shape.ts';

/** A client's secret as it is stored, deleted ones too. */
export interface StoredSecret {
  /** SHA-256, base64url. */
  readonly secretHash: string;
  readonly hint: string;
  readonly deletedAt: Date | null;
}

/** Which of the client's secrets a wrong one was; only hashes of it are kept. */
export interface SecretQuestion {
  readonly kind: 'which_secret';
  readonly sentHash: string;
  /** Of the secret without what was done to it on its way; undefined where nothing was. */
  readonly mended:
    | { readonly hash: string; readonly by: 'blanks' | 'quotes' | 'percent_encoded' }
    | undefined;
}

/** What a wrong client secret is, as far as it tells by itself. */
export async function examineSecret(
  secret: string,
  clientId: string,
  hash: Hash,
): Promise<Explanation | SecretQuestion> {
  if (secret.trim() === clientId) return { kind: 'secret_is_client_id' };
  const shape = kindOf(secret);
  if (shape !== undefined && shape !== 'client_secret') return { kind: 'secret_is_token', shape };
  const hashOf = async (text: string): Promise<string> => toBase64url(await hashClientSecret(text, hash));
  const by = spoiltBy(secret);
  return {
    kind: 'which_secret',
    sentHash: await hashOf(secret),
    mended: by === undefined ? undefined : { by, hash: await hashOf(mended(secret)) },
  };
}

/** The same, now that the client's secrets are known. */
export function settleSecret(
  { sentHash, mended: without }: SecretQuestion,
  stored: readonly StoredSecret[],
  now: Date,
): Explanation {
  const live = stored.filter(({ deletedAt }) => deletedAt === null);
  if (without !== undefined && live.some(({ secretHash }) => secretHash === without.hash))
    return { kind: 'secret_spoilt', by: without.by };
  for (const { secretHash, hint, deletedAt } of stored) {
    const isIt = secretHash === sentHash || secretHash === without?.hash;
    if (isIt && deletedAt !== null)
      return { kind: 'secret_deleted', hint, secondsAgo: Math.max(0, secondsBetween(deletedAt, now)) };
  }
  return { kind: 'secret_wrong', liveHints: live.map(({ hint }) => hint) };
}
