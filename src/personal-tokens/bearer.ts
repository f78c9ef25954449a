import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Bearer, OwnTokens } from '../oauth/bearer.ts';
import { nameScopes } from '../oauth/own-scopes.ts';
import type { LastUse } from '../platform/last-use/writer.ts';
import { spend } from '../platform/limits/buckets.ts';
import { whoseOf } from '../platform/limits/whose.ts';
import type { Platform } from '../platform/platform.ts';
import { ok, refuse } from '../result.ts';
import { findByHash } from './store.ts';
import { hashToken, isPersonalToken, isWhole } from './token.ts';

const maxRemembered = 5000;

interface Known {
  readonly bearer: Bearer;
  readonly expiresAt: Date;
}

type App = Pick<Platform, 'config' | 'db' | 'runtime'>;

/**
 * Reads bearers of `/v2` and `/mcp` (contract §5). A token's person and scopes never change, so it
 * is looked up once; whether its grant stands is checked every time, as that of an app's token.
 */
export function ownTokens(app: App, uses: Pick<LastUse, 'note'>): OwnTokens {
  let remembered: LRUCache<string, Promise<Known | undefined>> | undefined;

  async function find(tokenHash: string, { server }: FastifyRequest): Promise<Known | undefined> {
    const [row] = await findByHash(app.db).execute({ tokenHash });
    if (row === undefined) return undefined;
    const { scopes, expiresAt, ...parties } = row;
    const { apiUrl: audience, appUrl: issuer } = app.config;
    const of = { issuer, audience, ...parties, teamId: null, jkt: null };
    return { bearer: { ...of, scopes: nameScopes(scopes, server.permissions.known) }, expiresAt };
  }

  return {
    isOne: isPersonalToken,
    async verify(token, request) {
      if (!isWhole(token)) return refuse('invalid_token', 'not whole');
      remembered ??= new LRUCache({ max: maxRemembered });
      const [tokens, tokenHash] = [remembered, hashToken(token)];
      let found = tokens.get(tokenHash);
      // Requests that come together look once, so a script may begin with many at the same time.
      if (found === undefined) {
        spend(request, 'wrong_secrets'); // protects: C280
        found = find(tokenHash, request);
        tokens.set(tokenHash, found);
        const one = await found.catch(() => undefined);
        if (one === undefined) tokens.delete(tokenHash);
        else request.server.buckets.wrong_secrets.charge(whoseOf(request), -1);
      }
      const known = await found;
      if (known === undefined) return refuse('invalid_token', 'unknown');
      const now = app.runtime.now();
      if (known.expiresAt <= now) return refuse('invalid_token', 'expired'); // protects: C280
      uses.note(known.bearer.grantId, now);
      return ok(known.bearer);
    },
  };
}
