import type { Socket } from 'node:net';
import Fastify, {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { onTheWayPlugin } from './accounts/sessions/on-the-way.ts';
import { sessionsPlugin } from './accounts/sessions/session.ts';
import { apiErrorsPlugin, sendApiError } from './api/errors.ts';
import { openapiPlugin } from './api/openapi/plugin.ts';
import { isDocumentUrl } from './oauth/client-id.ts';
import { corsHeaders, corsPlugin, sendPreflight } from './oauth/cors.ts';
import { claimedClientOf } from './oauth/http/presented.ts';
import { type ConnectionLimits, limitConnections } from './platform/connections.ts';
import { hasTooManyParameters, parseQuery, TooManyParameters } from './platform/parameters.ts';
import { handedIn } from './platform/parts.ts';
import { type Foundation, type Platform, platformPlugin } from './platform/platform.ts';
import { requestIdOf, routeOf, traceOf } from './platform/request-identity.ts';
import { randomHex } from './platform/runtime.ts';
import { scopedPlugin } from './platform/scoped-plugin.ts';
import { allowedMethodsPlugin } from './web/allowed-methods.ts';
import { assetsPlugin } from './web/assets.ts';
import { brandPlugin } from './web/brand.ts';
import { sendUnknownPage } from './web/error-pages.ts';
import { pageHeaders, transportHeaders } from './web/headers.ts';
import { healthPaths, healthPlugin } from './web/health.ts';
import { pageScopePlugin } from './web/page-scope.ts';

/** Maps the service: one register() for each surface, which has its own language of errors. */
export async function buildApp(
  platform: Foundation & Partial<Platform>,
  connections: ConnectionLimits,
): Promise<FastifyInstance> {
  const { config, log, runtime } = platform;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestIdOf(request, config.trustedProxies),
    requestTimeout: 30_000,
    // No request waits as long without sending or reading a byte.
    connectionTimeout: 120_000,
    // A request on a kept connection is still answered, since what it needs closes later.
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies], // protects: C40
    bodyLimit: 64 * 1024, // protects: C36
    // A state of 4,096 characters may take 12 KB, and what it's sent on with is as long.
    http: { maxHeaderSize: 32 * 1024, headersTimeout: 15_000, connectionsCheckingInterval: 5000 },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: 8 * 1024, querystringParser: parseQuery },
    // Clients put a slash before one. Pages aren't among these, as their own addresses are redirected to.
    rewriteUrl: ({ url = '' }) =>
      url.replace(/^\/{2,}(?=(?:v2|mcp|\.well-known|openapi\.json)(?:[/?]|$))/, '/'),
    clientErrorHandler: (error, socket) => sendUnreadable(error, socket, runtime),
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendUnroutable(error, request, reply, platform),
  });
  const { trustedProxies } = config;
  const isForProbe = limitConnections(app.server, connections, { trustedProxies, log });
  await app.register(platformPlugin(platform));
  await app.register(allowedMethodsPlugin);
  // Hooks of every request take callbacks, because promises cost more than these hooks do.
  const headersOfAll = { 'x-content-type-options': 'nosniff', ...transportHeaders(config.appUrl) };
  app.addHook('onRoute', function nameLimit(route) {
    const limit = route.config?.limit ?? this.limitOfScope;
    if (limit === undefined) throw new Error(`${route.url} names no limit`);
    route.config = { ...route.config, limit };
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headersOfAll);
    const isBeyond = isForProbe(request.raw.socket);
    if (platform.stopping.aborted || isBeyond) reply.header('connection', 'close');
    // protects: C331
    if (isBeyond && !healthPaths.includes(routeOf(request)))
      reply.code(503).header('retry-after', 1).type('text/plain').send('All connections are in use.\n');
    else done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // protects: C90
    if (/^[^?]*%00/.test(request.url)) done(new NulInPath());
    else if (hasTooManyParameters(request.url)) done(new TooManyParameters());
    else done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The log has the route's pattern: an address may contain what people and apps put into it.
    const route = routeOf(request);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { method } = request;
    const trace = traceOf(request.raw, config.trustedProxies);
    // protects: C90
    const { client, grant } = actorOf(request);
    const line = { method, route, status: reply.statusCode, ms, client, grant, trace };
    if (healthPaths.includes(route) && reply.statusCode < 400) request.log.debug(line, 'answered');
    else request.log.info(line, 'answered');
    platform.onAnswered?.(request, reply);
    done();
  });
  limitWriting(app, writingMs);
  await app.register(openapiPlugin, { scopes: app.permissions.words });
  const unlisted = handedIn(app.parts, ({ web }) => web?.unlisted);
  await app.register(assetsPlugin, { headers: pageHeaders(), unlisted });
  await app.register(brandPlugin, { headers: pageHeaders() });
  for (const { plugin, prefix = '' } of handedIn(app.parts, ({ routes }) => routes?.surfaces))
    await app.register(plugin, { prefix });
  await app.register(pagesPlugin);
  await app.register(apiPlugin, { prefix: '/v2' });
  await app.register(wellKnownPlugin, { prefix: '/.well-known' });
  await app.register(healthPlugin);
  return app;
}

const writingMs = 60_000;
const longAnswer = 16 * 1024;

/** Cuts connections whose client doesn't read a long answer in time, byte by byte or not at all. */
export function limitWriting(app: FastifyInstance, ms: number): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const isShort = typeof payload === 'string' && payload.length < longAnswer;
    if (!isShort && payload !== undefined && payload !== null) {
      const { raw } = reply;
      const timer = setTimeout(() => raw.destroy(), ms).unref(); // protects: C223
      raw.once('close', () => clearTimeout(timer));
    }
    done(null, payload);
  });
}

function noCompiler(): never {
  throw new Error('a scope whose routes have schemas sets its compilers');
}

/** A claim of another form may be of any length, or a secret in the wrong field. */
const clientId = /^[0-9a-f]{32}$/;

/** Returns client and grant of a request. The client of a refused request is only a claim. */
function actorOf({ bearer, oauthCall }: FastifyRequest) {
  if (bearer !== undefined) return { client: bearer.clientId, grant: bearer.grantId };
  const claimed = claimedClientOf(oauthCall) ?? '';
  const isClientId = clientId.test(claimed) || isDocumentUrl(claimed);
  return { client: isClientId ? claimed : undefined, grant: oauthCall?.issuedGrantId };
}

/** PostgreSQL holds no NUL, so such a path leads nowhere. The scope's own mapper answers. */
class NulInPath extends Error {
  readonly statusCode = 400;
}

/** Answers bytes that are no request on the socket, and closes it. */
function sendUnreadable(error: ConnectionError, socket: Socket, runtime: Platform['runtime']): void {
  if (!socket.writable) return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = 'This request cannot be read.\n';
  const lines = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: text/plain',
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${randomHex(runtime, 12)}`,
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

function sendUnroutable(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  { config, parts = [] }: Pick<Foundation, 'config'> & Partial<Pick<Platform, 'parts'>>,
) {
  request.log.info({ code: error.code }, 'a request could not be routed');
  reply.headers({ ...pageHeaders(), ...transportHeaders(config.appUrl), 'x-request-id': request.id });
  const resources = handedIn(parts, ({ oauth }) => oauth?.resources).map(({ path }) => path);
  if (['/v2', '/.well-known', ...resources].some((path) => request.url.startsWith(`${path}/`))) {
    if (request.method === 'OPTIONS') return sendPreflight(request, reply);
    return sendApiError(reply.headers(corsHeaders), 'BadRequest', 'The address cannot be read.');
  }
  return reply.code(400).type('text/plain').send('This address cannot be read.\n');
}

/** Warns once of a proxy that TRUSTED_PROXIES lacks, whose visitors would share one limit. */
function warnOfUnknownProxy(app: FastifyInstance): void {
  let isWatching = app.config.trustedProxies.length === 0;
  app.addHook('onRequest', async ({ headers, log }) => {
    if (!isWatching || headers['x-forwarded-for'] === undefined) return;
    isWatching = false;
    log.warn('a request brought X-Forwarded-For: if it came through a proxy, name it in TRUSTED_PROXIES');
  });
}

const pagesPlugin = scopedPlugin('pages', [], 'requests', async (app) => {
  await app.register(pageScopePlugin);
  warnOfUnknownProxy(app);
  await app.register(sessionsPlugin);
  await app.register(onTheWayPlugin);
  for (const plugin of handedIn(app.parts, ({ routes }) => routes?.beforePages)) await app.register(plugin);
  app.setNotFoundHandler(sendUnknownPage);
  for (const plugin of handedIn(app.parts, ({ routes }) => routes?.pages)) await app.register(plugin);
  for (const { web } of app.parts)
    for (const [from, to] of Object.entries(web?.usualAddresses ?? {}))
      app.get(from, async (_request, reply) => reply.redirect(to, 303));
});

const apiPlugin = scopedPlugin('api', ['openapi'], 'requests', async (app) => {
  await app.register(corsPlugin);
  await app.register(apiErrorsPlugin);
  for (const plugin of handedIn(app.parts, ({ routes }) => routes?.endpoints)) await app.register(plugin);
});

const wellKnownPlugin = scopedPlugin('well-known', [], 'requests', async (app) => {
  await app.register(corsPlugin);
  await app.register(apiErrorsPlugin);
  for (const plugin of handedIn(app.parts, ({ routes }) => routes?.wellKnown)) await app.register(plugin);
});
