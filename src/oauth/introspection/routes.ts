import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { ok, refuse } from '../../result.ts';
import { verifyAccessToken } from '../core/access-token.ts';
import { authenticate } from '../core/authentication.ts';
import type { PresentedClient } from '../core/client.ts';
import type { Grant } from '../core/grant.ts';
import { decideRefresh, readRefreshToken } from '../core/refresh.ts';
import { intersectScopes, nameScopes, narrowResources, type Scope } from '../core/scope.ts';
import { authenticationOf, oauthEndpoint } from '../token/endpoint.ts';
import { exampleClient, presentedToken } from '../token/fields.ts';
import { tokenType } from '../token/response.ts';
import { tokenStore } from '../token/store.ts';
import { findStanding } from './store.ts';

const introspection = z
  .object({
    active: z.boolean().describe('Whether the token works now. If false, it’s the only field.'),
    token_type: tokenType.optional(),
    iss: z.string().optional().describe('Issuer.'),
    aud: z.unknown().optional().describe('Whom access tokens are for: one as a string, several as a list.'),
    sub: z.string().optional().describe('ID of the user.'),
    client_id: z.string().optional().describe('The app that the user approved.'),
    team_id: z.number().optional().describe('The team, if the access is to a team.'),
    scope: z.string().optional().describe('What the token allows now, separated by spaces.'),
    iat: z.number().optional().describe('When the access token was issued, in seconds since 1970.'),
    exp: z.number().optional().describe('When the access token expires, in seconds since 1970.'),
    cnf: z
      .object({ jkt: z.string().describe('RFC 7638 thumbprint.') })
      .optional()
      .describe('The key that the access token is bound to (RFC 9449).'),
    jti: z.string().optional().describe('ID of the access token.'),
  })
  .meta({ id: 'Introspection' });

type Introspection = z.output<typeof introspection>;

/** RFC 7662 and contract §7 define this endpoint. */
export const introspectionPlugin = oauthEndpoint('introspection', {
  path: '/auth/oauth2/introspect',
  operationId: 'introspectToken',
  summary: 'Introspect a token',
  description:
    'Tells whether a token works now (RFC 7662). Requires a client secret. Send a form or JSON. Any token that you can’t see is inactive.',
  body: z
    .object(presentedToken)
    .meta({ id: 'IntrospectionRequest', examples: [{ ...exampleClient, token: 'eyJ.an.access_token' }] }),
  answerOf: () => introspection.describe('What the token is good for.'),
  open: (app) => (client, fields) => introspect(app, client, fields.token),
});

/** Nobody learns anything else about an inactive token (RFC 7662 §2.2). */
const inactive: Introspection = { active: false };

/**
 * RFC 7662 §2, contract §7. Only confidential clients may ask (§2.1). A resource server sees access
 * tokens that name it in `aud`. Nothing is spent, and a spent refresh token ends nothing here.
 */
async function introspect(app: FastifyInstance, presented: PresentedClient, token: string) {
  const { db, config, keys, runtime, tokenIssuer, buckets } = app;
  const refreshToken = await readRefreshToken(token, tokenIssuer.mac);
  const { client: known, grant } = await tokenStore(db).find(presented.clientId, refreshToken?.grantId);
  // protects: C95
  const authenticated = await authenticate(authenticationOf(app), known, presented, { mayBePublic: false });
  if (!authenticated.ok) return authenticated;
  const client = authenticated.value;

  const now = runtime.now();
  const { issuer, resources, scopes: knownScopes } = tokenIssuer;
  const isAllowed = (grantId: string): boolean =>
    buckets.requests.take([[`introspection ${client.id} ${grantId}`, 1]]).isAllowed;
  const tooMany = refuse('too_many_requests', 'too many introspections of this grant');

  if (refreshToken !== undefined) {
    const { grantId, generation } = refreshToken;
    if (!isAllowed(grantId)) return tooMany;
    // A confidential client's refresh tokens are bound to its secret, so no key is asked for.
    const presented = { generation, scope: undefined, jkt: null };
    const rules = { lifetimes: config.lifetimes, known: knownScopes, now };
    const decision = decideRefresh({ client, grant: grant ?? 'gone', ...presented, ...rules });
    if (decision.outcome !== 'rotate' && decision.outcome !== 'repeat') return ok(inactive);
    const audience = narrowResources(undefined, decision.grant.resources, resources);
    if (!audience.ok) return ok(inactive);
    return ok({
      active: true,
      ...described(decision.grant, nameScopes(decision.scopes, knownScopes)),
      iss: issuer,
      aud: audience.value === null ? resources[0] : [...audience.value],
    });
  }

  const expected = { issuer, audience: resources, keys: keys.lookUp() };
  const verified = await verifyAccessToken(token, expected, now);
  if (!verified.ok) return ok(inactive);
  const { grantId, scopes, jkt } = verified.value;
  if (!isAllowed(grantId)) return tooMany;
  const { iss, aud = [], iat, exp, jti } = decodeJwt(token);
  // protects: C95
  const served = config.resources.map(({ address }) => address).filter((one) => [aud].flat().includes(one));
  const asked = { grantId, callerId: client.id, resources: served };
  const standing = await findStanding(db, asked, config.lifetimes, now);
  const held = standing === undefined ? [] : intersectScopes(scopes, standing.registered);
  const names = nameScopes(held, knownScopes);
  if (names.length === 0) return ok(inactive); // protects: C95
  const access = { active: true, iss, aud, iat, exp, jti } as const;
  // RFC 9449 §6.2 adds `cnf`.
  const binding =
    jkt === null ? ({ token_type: 'bearer' } as const) : ({ token_type: 'DPoP', cnf: { jkt } } as const);
  return ok({ ...access, ...binding, ...described(verified.value, names) });
}

function described(
  { clientId, userId, teamId }: Pick<Grant, 'clientId' | 'userId' | 'teamId'>,
  scopes: readonly Scope[],
) {
  return {
    scope: scopes.join(' '),
    client_id: clientId,
    sub: String(userId),
    ...(teamId === null ? {} : { team_id: teamId }),
  };
}
