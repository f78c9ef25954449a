import type { Part } from '../platform/parts.ts';
import { securityHome, securityPlugin } from './security.ts';
import { passkeySignInPlugin, secondFactor } from './sign-in.ts';
import { maxPasskeys, recoveryCodeCount } from './store.ts';

/**
 * Passkeys and recovery codes, to sign in with and as a second factor. Without it an account that
 * has a passkey stays closed to its password.
 */
export const passkeysPart = {
  open: () => ({ capabilities: { secondFactor } }),
  routes: {
    pages: [passkeySignInPlugin, securityPlugin],
  },
  web: {
    navigation: [{ group: 'Account', place: 130, address: securityHome, words: 'Security', icon: 'shield' }],
  },
  limits: {
    'an account': [
      [maxPasskeys, 'passkeys'],
      [recoveryCodeCount, 'recovery codes'],
    ],
  },
} as const satisfies Part;
