import fp from 'fastify-plugin';
import { isOwnScope } from '../../config.ts';
import { handedIn } from '../../platform/parts.ts';
import type { Platform } from '../../platform/platform.ts';
import { type ScopedPlugin, scopedPlugin } from '../../platform/scoped-plugin.ts';
import { dpopAlgorithms } from '../core/dpop.ts';
import { responseModes } from '../core/response-mode.ts';
import { callOf, sendAnswer } from '../http/fastify.ts';
import { jwksCacheSeconds } from '../http/metadata.ts';
import { knownResources } from '../permissions.ts';
import { openOAuthServer } from '../token/server.ts';

declare module '../permissions.ts' {
  interface OAuthOfPart {
    /** The API's tokens open other resources, too (RFC 9728). */
    readonly resources?: readonly ProtectedResource[];
  }
}

interface ProtectedResource {
  readonly path: `/${string}`;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** One server answers below `/v2` and here. */
export const oauthServerPlugin: ScopedPlugin = fp(
  async (app) => {
    app.decorate('oauthServer', openOAuthServer(app, metadataOf(app)));
  },
  { name: 'oauth-server', dependencies: ['platform'] },
);

const limit = { noneBecause: 'the answers are made once and cached' } as const;

/** RFC 8414, RFC 9728 and RFC 7517 (JWKS) define these documents (contract §7). */
export const discoveryPlugin = scopedPlugin('discovery', ['oauth-server'], limit, async (app) => {
  const { oauthServer } = app;
  const resources = resourcesOf(app);
  const cached = { 'cache-control': `public, max-age=${jwksCacheSeconds}` };
  const documents = {
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
  app.get('/oauth-authorization-server', async (_request, reply) =>
    sendAnswer(reply, oauthServer.metadata()),
  );
  app.get('/jwks.json', async (request, reply) => sendAnswer(reply, await oauthServer.jwks(callOf(request))));
});

const resourcesOf = ({ parts }: Pick<Platform, 'parts'>) => handedIn(parts, ({ oauth }) => oauth?.resources);

type Described = Pick<Platform, 'config' | 'permissions'>;

/** What the library doesn't know of itself (RFC 8414 §2). */
const metadataOf = ({
  config,
  clientDocuments,
  languages,
  parts,
}: Pick<Platform, 'config' | 'clientDocuments' | 'languages' | 'parts'>) => ({
  response_modes_supported: responseModes,
  ...(languages && { ui_locales_supported: languages.tags }),
  service_documentation: `${config.appUrl}/docs`,
  // RFC 9728 §4 defines this list.
  protected_resources: [
    ...knownResources(config),
    ...resourcesOf({ parts }).map(({ path }) => `${config.apiUrl}${path}`),
  ],
  // A registration_endpoint is missing, because apps are registered and reviewed (contract §2).
  ...(clientDocuments === undefined ? {} : { client_id_metadata_document_supported: true }),
});

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
