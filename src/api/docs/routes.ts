import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fp from 'fastify-plugin';
import { sendPage } from '../../web/pages.ts';

declare module '../../web/pages.ts' {
  interface Views {
    docs: { readonly title: string; readonly configuration: string };
  }
}

/**
 * Scalar's reader of `/openapi.json`, self-hosted (contract §7, security C19): the one page that
 * needs JavaScript, with a policy of its own.
 */
export const docsPlugin = fp(
  async (app) => {
    const { appUrl, apiUrl } = app.config;
    const configuration = JSON.stringify(readerConfiguration(appUrl));
    let script: Promise<Buffer> | undefined;

    app.get('/docs', async (request, reply) => {
      reply.header('content-security-policy', policyOf(apiUrl));
      return sendPage(request, reply, 'docs', { title: 'API documentation', configuration });
    });

    app.get('/docs/reader.js', async (_request, reply) => {
      script ??= readScript();
      script.catch(() => (script = undefined));
      return reply
        .headers({ 'cache-control': 'public, max-age=86400', 'content-encoding': 'gzip' })
        .type('text/javascript; charset=utf-8')
        .send(await script);
    });
  },
  { name: 'docs', dependencies: ['platform', 'openapi'], encapsulate: true },
);

/** The reader's greys are too pale for small text (WCAG 2.2, 1.4.3). */
const contrast = `
.light-mode { --scalar-color-2: #4a4a4a; --scalar-color-3: #5c5c5c; --scalar-color-green: #0a6640;
  --scalar-color-blue: #0756a8; --scalar-color-orange: #8a4500; --scalar-color-red: #b00020; }
.dark-mode { --scalar-color-2: #c8c8c8; --scalar-color-3: #b0b0b0; --scalar-color-green: #4cd08d;
  --scalar-color-blue: #7db7ff; --scalar-color-orange: #ffb266; --scalar-color-red: #ff8a8a; }`;

/** No fonts, proxy, telemetry or assistant of its maker. */
function readerConfiguration(appUrl: string) {
  const redirectUri = `${appUrl}/docs`;
  return {
    url: '/openapi.json',
    customCss: contrast,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
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

/** Its styles are inline; scripts and requests are ours alone. */
function policyOf(apiUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${apiUrl}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function readScript(): Promise<Buffer> {
  // The bundle has it beside it.
  const program = import.meta.url.endsWith('.ts')
    ? new URL('./reader-worker.ts', import.meta.url)
    : new URL('./reader-worker.js', import.meta.url);
  const worker = new Worker(program);
  const [script] = await once(worker, 'message');
  if (!(script instanceof Uint8Array)) throw new Error('the reader has no script');
  return Buffer.from(script);
}
