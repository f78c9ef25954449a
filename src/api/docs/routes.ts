import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { handedIn } from '../../platform/parts.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { acceptsGzip } from '../../web/assets.ts';
import { sendPage } from '../../web/pages.ts';

declare module '../../web/pages.ts' {
  interface Views {
    /** The popup of an authorization response has no configuration, since the reader closes it. */
    docs: {
      readonly title: string;
      readonly configuration: string | undefined;
      readonly values: string;
    };
  }
}

/** An app's page links here, and authorization responses come here (RFC 6749 §4.1.2). */
const query = z.object({
  code: z.unknown().optional(),
  error: z.unknown().optional(),
  client_id: z
    .stringFormat('client_id', /^[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
});

/** Serves the one page that needs JavaScript, with its own policy (contract §7, security C19). */
export const docsPlugin = scopedPlugin('docs', ['openapi'], 'requests', async (app) => {
  const { appUrl, apiUrl } = app.config;
  let script: Promise<Buffer> | undefined;

  app.get('/docs', { schema: { querystring: query } }, async (request, reply) => {
    reply.header('content-security-policy', policyOf(apiUrl));
    const { client_id, code, error } = request.query;
    const isResponse = code !== undefined || error !== undefined;
    const configuration = isResponse ? undefined : JSON.stringify(readerConfiguration(appUrl, client_id));
    const found = handedIn(app.parts, ({ api }) => api?.guideValues && [api.guideValues(request)]);
    const values = JSON.stringify(Object.assign({}, ...(await Promise.all(found))));
    return sendPage(reply, 'docs', { title: 'API documentation', configuration, values });
  });

  let plain: Buffer | undefined;
  app.get('/docs/reader.js', async (request, reply) => {
    script ??= readScript();
    script.catch(() => (script = undefined));
    const gzipped = await script;
    reply
      .headers({ 'cache-control': 'public, max-age=86400', vary: 'accept-encoding' })
      .type('text/javascript; charset=utf-8');
    if (acceptsGzip(request)) return reply.header('content-encoding', 'gzip').send(gzipped);
    plain ??= gunzipSync(gzipped);
    return reply.send(plain);
  });
});

function readerConfiguration(appUrl: string, clientId: string | undefined) {
  const redirectUri = `${appUrl}/docs`;
  return {
    url: '/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    hideDarkModeToggle: true,
    hideModels: true,
    expandAllSchemaProperties: true,
    orderSchemaPropertiesBy: 'preserve',
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'json',
    oauth2RedirectUri: redirectUri,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: {
      preferredSecurityScheme: 'oauth2',
      securitySchemes: {
        oauth2: {
          flows: {
            authorizationCode: {
              'x-usePkce': 'SHA-256',
              'x-scalar-client-id': clientId,
              'x-scalar-credentials-location': 'body',
              // Once a client ID is entered, the reader forgets the redirect URI that it shows.
              'x-scalar-security-query': { redirect_uri: redirectUri },
              'x-scalar-security-body': { redirect_uri: redirectUri },
            },
          },
        },
      },
    },
  };
}

/** The reader's own styles are inline. */
function policyOf(apiUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${apiUrl}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function readScript(): Promise<Buffer> {
  if (!import.meta.url.endsWith('.ts')) return readFile(new URL('./reader.js.gz', import.meta.url));
  const { makeReader } = await import('./reader.ts');
  return makeReader();
}
