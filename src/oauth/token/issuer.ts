import type { Platform } from '../../platform/platform.ts';
import type { TokenIssuer } from '../core/ports.ts';
import { knownResources } from '../permissions.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly tokenIssuer: TokenIssuer;
  }
}

export function createTokenIssuer({
  config,
  keys,
  permissions,
  runtime,
  secrets,
}: Pick<Platform, 'config' | 'keys' | 'permissions' | 'runtime' | 'secrets'>): TokenIssuer {
  return {
    issuer: config.appUrl,
    resources: knownResources(config),
    scopes: permissions.known,
    signer: () => keys.signer(),
    mac: secrets,
    randomBytes: (length) => runtime.randomBytes(length),
  };
}
