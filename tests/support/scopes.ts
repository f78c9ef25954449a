import { permissions } from './permissions.ts';

/** The names of all scopes of all parts, so without those of OpenID Connect and of SCOPES. */
export const scopeNames: readonly string[] = permissions.known;
