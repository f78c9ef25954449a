import type { FastifyInstance } from 'fastify';
import { jwksCacheSeconds } from '../core/key-rotation.ts';
import { scopeNames } from '../core/scope.ts';
import type { Keyring } from '../keyring.ts';

export interface MetadataDeps {
  readonly appUrl: string;
  readonly apiUrl: string;
  readonly keyring: Keyring;
}

/** What programs read to find their way, below `/.well-known`: RFC 8414, RFC 9728 and the JWKS (RFC 7517), contract §7. */
export async function registerMetadataRoutes(app: FastifyInstance, deps: MetadataDeps): Promise<void> {
  const authorizationServer = describeAuthorizationServer(deps);
  const protectedResource = describeProtectedResource(deps);
  const cached = { 'cache-control': `public, max-age=${jwksCacheSeconds}` };
  app.get('/oauth-authorization-server', async (_request, reply) =>
    reply.headers(cached).send(authorizationServer),
  );
  app.get('/oauth-protected-resource', async (_request, reply) =>
    reply.headers(cached).send(protectedResource),
  );
  app.get('/jwks.json', async (_request, reply) =>
    reply.headers(cached).type('application/jwk-set+json').send(JSON.stringify(deps.keyring.jwks())),
  );
}

function describeAuthorizationServer({ appUrl, apiUrl }: MetadataDeps) {
  const authenticationMethods = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer: appUrl,
    authorization_endpoint: `${appUrl}/auth/oauth2/authorize`,
    token_endpoint: `${apiUrl}/v2/auth/oauth2/token`,
    token_endpoint_auth_methods_supported: authenticationMethods,
    revocation_endpoint: `${apiUrl}/v2/auth/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: authenticationMethods,
    jwks_uri: `${appUrl}/.well-known/jwks.json`,
    scopes_supported: scopeNames,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

function describeProtectedResource({ appUrl, apiUrl }: MetadataDeps) {
  return {
    resource: apiUrl,
    authorization_servers: [appUrl],
    scopes_supported: scopeNames,
    bearer_methods_supported: ['header'],
    resource_name: 'Latchkey scheduling API',
  };
}
