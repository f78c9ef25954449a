import { hashClientSecret, issueCode, webCryptoHash, webCryptoMac } from 'latchkey/core';
import { newGrant } from 'latchkey/fetch';
import { memoryStore } from './memory-store.mjs';

export const issuer = 'https://id.example/oauth';
export const secrets = ['a secret of the example, of 32 bytes'];
export const redirectUri = 'https://app.example/callback';
export const clientSecret = 'lks_secret';

export function expect(isRight, what) {
  if (!isRight) throw new Error(what);
}

/** A store with a confidential client, and codes for it. */
export async function createWorld() {
  const hash = await hashClientSecret(clientSecret, webCryptoHash);
  const client = { id: 'app', type: 'confidential', status: 'accepted', redirectUris: [redirectUri] };
  const secret = { id: 'secret', hash };
  const store = memoryStore([{ ...client, scopes: 'all', requiresPkce: false, secrets: [secret] }]);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const key = { ...(await crypto.subtle.exportKey('jwk', privateKey)), kid: 'key' };
  return {
    store,
    key,
    /** As a consent page does. */
    async approve() {
      const grant = newGrant({ clientId: 'app', userId: '7', scopes: ['PROFILE_READ'], redirectUri });
      store.add(grant);
      return issueCode(grant.id, webCryptoMac(secrets, issuer));
    },
  };
}
