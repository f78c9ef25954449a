import type { Platform } from '../../platform/platform.ts';
import { nodeHash } from '../../platform/secrets.ts';
import type { Authentication } from '../core/ports.ts';

export function authenticationOf({
  runtime,
  clientSecretUse,
  tokenRateLimits,
}: Pick<Platform, 'runtime' | 'clientSecretUse' | 'tokenRateLimits'>): Authentication {
  return {
    hash: nodeHash,
    failures: tokenRateLimits.failedAuthentications,
    noteSecretUse: (id) => clientSecretUse.note(id, runtime.now()),
  };
}
