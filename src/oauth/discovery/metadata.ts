import { handedIn, type ProtectedResource } from '../../part.ts';
import type { Platform } from '../../platform/platform.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { dpopAlgorithms } from '../core/dpop.ts';
import { jwksCacheSeconds } from '../core/key-rotation.ts';
import { responseModes } from '../core/response-mode.ts';
import { isOwnScope } from '../core/scope.ts';
import { authenticationMethods, describeServer } from '../http/metadata.ts';
import { knownResources } from '../permissions.ts';

const limit = { noneBecause: 'the answers are made once and cached' } as const;

/** RFC 8414, RFC 9728 and RFC 7517 (JWKS) define these documents (contract §7). */
export const discoveryPlugin = scopedPlugin('discovery', [], limit, async (app) => {
  const { keys } = app;
  const resources = resourcesOf(app);
  const cached = { 'cache-control': `public, max-age=${jwksCacheSeconds}` };
  const documents = {
    '/oauth-authorization-server': describeAuthorizationServer(app),
    '/oauth-protected-resource': describeProtectedResource(app),
    ...Object.fromEntries(
      resources.flatMap((one) =>
        [one.path, `${one.path}/`].map((path) => [
          `/oauth-protected-resource${path}`,
          describePart(app, one),
        ]),
      ),
    ),
  };
  for (const [path, document] of Object.entries(documents))
    app.get(path, async (_request, reply) => reply.headers(cached).send(document));
  app.get('/jwks.json', async (_request, reply) => {
    await keys.fill();
    return reply.headers(cached).type('application/jwk-set+json').send(JSON.stringify(keys.jwks()));
  });
});

const resourcesOf = ({ parts }: Pick<Platform, 'parts'>) => handedIn(parts, (part) => part.resources);

type Described = Pick<Platform, 'config' | 'permissions'>;

/** Describes the server as RFC 8414 §2 does; OpenID Connect Discovery adds to it. @public */
export function describeAuthorizationServer({
  config,
  clientDocuments,
  languages,
  parts,
  permissions,
}: Described & Pick<Platform, 'clientDocuments' | 'languages' | 'parts'>) {
  const { appUrl, apiUrl } = config;
  const addresses = {
    issuer: appUrl,
    authorization: `${appUrl}/auth/oauth2/authorize`,
    token: `${apiUrl}/v2/auth/oauth2/token`,
    revocation: `${apiUrl}/v2/auth/oauth2/revoke`,
    jwks: `${appUrl}/.well-known/jwks.json`,
  };
  return {
    ...describeServer(addresses, permissions.known),
    response_modes_supported: responseModes,
    introspection_endpoint: `${apiUrl}/v2/auth/oauth2/introspect`,
    introspection_endpoint_auth_methods_supported: authenticationMethods.withSecret,
    ...(languages && { ui_locales_supported: languages.tags }),
    service_documentation: `${appUrl}/docs`,
    // RFC 9728 §4 defines this list.
    protected_resources: [
      ...knownResources(config),
      ...resourcesOf({ parts }).map(({ path }) => `${apiUrl}${path}`),
    ],
    // A registration_endpoint is missing, because apps are registered and reviewed (contract §2).
    ...(clientDocuments === undefined ? {} : { client_id_metadata_document_supported: true }),
  };
}

function describeProtectedResource({ config, permissions }: Described) {
  return {
    resource: config.apiUrl,
    authorization_servers: [config.appUrl],
    scopes_supported: permissions.known.filter(isOwnScope),
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: dpopAlgorithms,
    resource_name: 'Latchkey API',
  };
}

/** The part belongs to our API: tokens for either open both (contract §7). */
function describePart(app: Described, { path, name, scopes }: ProtectedResource) {
  return {
    ...describeProtectedResource(app),
    resource: `${app.config.apiUrl}${path}`,
    // Clients ask for all scopes in the list, so it has no more than the part needs.
    scopes_supported: app.permissions.known.filter((scope) => scopes.includes(scope)),
    resource_name: name,
  };
}
