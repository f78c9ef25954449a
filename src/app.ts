import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import Fastify, {
  type ConnectionError,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { registerInvitationRoutes } from './accounts/invitations/routes.ts';
import { registerKeptFormRoutes } from './accounts/kept-form/after-sign-in.ts';
import { guardForms } from './accounts/kept-form/guard.ts';
import { type OrganizationDeps, registerOrganizationRoutes } from './accounts/organizations/routes.ts';
import {
  type PasswordResetDeps,
  registerForgotRoutes,
  registerResetRoutes,
} from './accounts/password-reset/routes.ts';
import { registerPasswordChange } from './accounts/profile/password-change.ts';
import { registerProfileRoutes } from './accounts/profile/routes.ts';
import { warnOfUnnamedProxy } from './accounts/protection/address.ts';
import { type AccountDeps, registerAccountRoutes } from './accounts/routes.ts';
import { registerSessions } from './accounts/session.ts';
import { registerSessionRoutes } from './accounts/sessions/routes.ts';
import { registerTeamRoutes } from './accounts/teams/routes.ts';
import { registerOutboxRoutes } from './admin/outbox.ts';
import { type DocsDeps, registerDocs } from './docs/routes.ts';
import { type HealthDeps, registerHealthRoutes } from './health.ts';
import { registerApiErrors, sendApiError } from './http.ts';
import { randomHex, type System } from './io/system.ts';
import type { AuthorizeDeps } from './oauth/authorize/consent.ts';
import { registerAuthorizeRoutes } from './oauth/authorize/routes.ts';
import { type BearerDeps, registerBearerScope } from './oauth/bearer.ts';
import { type ClientPageDeps, registerDeveloperRoutes } from './oauth/clients/developer.ts';
import { registerClientLookUp } from './oauth/clients/look-up.ts';
import { registerConnectionRoutes } from './oauth/connections/routes.ts';
import { scopes } from './oauth/core/scope.ts';
import { type FailurePageDeps, registerFailureRoutes } from './oauth/failures/routes.ts';
import { registerLogoRoutes } from './oauth/logos/routes.ts';
import { registerLogos } from './oauth/logos/serve.ts';
import { registerReviewRoutes } from './oauth/review/routes.ts';
import { registerSecretRoutes } from './oauth/secrets/routes.ts';
import { type MetadataDeps, registerMetadataRoutes } from './oauth/standard/metadata.ts';
import { registerRevocationRoute } from './oauth/standard/revocation.ts';
import { registerTokenScope } from './oauth/token/endpoint.ts';
import { registerTokenRoute, type TokenRouteDeps } from './oauth/token/routes.ts';
import { collectOpenApi } from './openapi/collect.ts';
import { pageHeaders, registerAssets, registerPageScope, sendNotFoundPage } from './pages.ts';
import { registerOrganizationHosts } from './scheduling/pages/organization-host.ts';
import { registerBookingPages } from './scheduling/pages/routes.ts';
import { registerScheduling, type SchedulingDeps } from './scheduling/routes.ts';

export interface AppDeps
  extends AccountDeps,
    AuthorizeDeps,
    BearerDeps,
    ClientPageDeps,
    FailurePageDeps,
    HealthDeps,
    MetadataDeps,
    OrganizationDeps,
    PasswordResetDeps,
    SchedulingDeps,
    TokenRouteDeps {
  readonly log: FastifyBaseLogger;
  readonly trustedProxies: readonly string[];
  readonly system: System;
}

/** The map of the service: one register() per surface, each with its own language of errors. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomHex(deps.system, 12),
    requestTimeout: 30_000,
    // Only for the client's address: our own come from the configuration, never from Host or X-Forwarded-Host and -Proto.
    trustProxy: deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    bodyLimit: 64 * 1024,
    // A state of 2048 characters may take 30 KB on its way through the sign-in page, encoded twice.
    http: { maxHeaderSize: 64 * 1024 },
    routerOptions: { maxParamLength: 8 * 1024 },
    clientErrorHandler: (error, socket) => sendUnreadable(error, socket, deps),
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendUnroutable(error, request, reply, deps),
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
  });
  app.addHook('preParsing', async (request) => {
    if (/^[^?]*%00/.test(request.url)) throw new NulInPath();
  });
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern, not the address: what people and apps put into an address stays out of the log.
    const route = request.routeOptions.url ?? 'unknown';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ method: request.method, route, status: reply.statusCode, ms }, 'answered');
  });
  const document = await collectOpenApi(app, { ...deps, scopes });
  await app.register((assets) => registerAssets(assets, deps));
  await app.register((logos) => registerLogos(logos, deps));
  await app.register((pages) => registerPages(pages, { ...deps, document }));
  await app.register((api) => registerV2(api, deps), { prefix: '/v2' });
  await app.register((wellKnown) => registerWellKnown(wellKnown, deps), { prefix: '/.well-known' });
  await app.register((health) => registerHealthRoutes(health, deps));
  return app;
}

/** PostgreSQL holds no NUL, so no path with one leads anywhere; the scope's own mapper answers. */
class NulInPath extends Error {
  readonly statusCode = 400;
}

/** Bytes that are no request, or one with too large a header: answered on the socket, and closed. */
function sendUnreadable(error: ConnectionError, socket: Socket, { system }: AppDeps): void {
  if (!socket.writable) return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = 'This request cannot be read.\n';
  const lines = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: text/plain',
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${randomHex(system, 12)}`,
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** An address that is no address, before any scope is found for it. */
function sendUnroutable(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  { appUrl }: AppDeps,
): FastifyReply {
  request.log.info({ code: error.code }, 'a request could not be routed');
  reply.headers({ ...pageHeaders(appUrl), 'x-request-id': request.id });
  if (/^\/(v2|\.well-known)\//.test(request.url)) {
    return sendApiError(request, reply, 'BadRequest', 'The address cannot be read.');
  }
  return reply.code(400).type('text/plain').send('This address cannot be read.\n');
}

/** Pages for people. */
async function registerPages(app: FastifyInstance, deps: AppDeps & DocsDeps): Promise<void> {
  await registerPageScope(app, deps);
  warnOfUnnamedProxy(app, deps.trustedProxies);
  registerSessions(app, deps);
  guardForms(app, deps);
  registerOrganizationHosts(app, deps);
  app.setNotFoundHandler(sendNotFoundPage);
  await app.register((accounts) => registerAccountRoutes(accounts, deps));
  await app.register((sessions) => registerSessionRoutes(sessions, deps));
  await app.register((keptForm) => registerKeptFormRoutes(keptForm, deps));
  await app.register((forgot) => registerForgotRoutes(forgot, deps));
  await app.register((reset) => registerResetRoutes(reset, deps));
  await app.register((profile) => registerProfileRoutes(profile, deps));
  await app.register((password) => registerPasswordChange(password, deps));
  await app.register((teams) => registerTeamRoutes(teams, deps));
  await app.register((organizations) => registerOrganizationRoutes(organizations, deps));
  await app.register((invitations) => registerInvitationRoutes(invitations, deps));
  await app.register((authorize) => registerAuthorizeRoutes(authorize, deps));
  await app.register((connections) => registerConnectionRoutes(connections, deps));
  await app.register((developer) => registerDeveloperRoutes(developer, deps));
  await app.register((secrets) => registerSecretRoutes(secrets, deps));
  await app.register((logos) => registerLogoRoutes(logos, deps));
  await app.register((failures) => registerFailureRoutes(failures, deps));
  await app.register((review) => registerReviewRoutes(review, deps));
  await app.register((outbox) => registerOutboxRoutes(outbox, deps));
  await app.register((booking) => registerBookingPages(booking, deps));
  await app.register((docs) => registerDocs(docs, deps));
}

/** The API host's paths: OAuth endpoints for apps, and the scheduling API, most of it behind a bearer token. */
async function registerV2(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await registerCors(app);
  registerApiErrors(app);
  await app.register(async (token) => {
    await registerTokenScope(token);
    registerTokenRoute(token, deps);
    registerRevocationRoute(token, deps);
  });
  await app.register(async (resources) => {
    registerBearerScope(resources, deps);
    registerClientLookUp(resources, deps);
  });
  await app.register((scheduling) => registerScheduling(scheduling, deps));
}

/** What programs read to find their way. */
async function registerWellKnown(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await registerCors(app);
  registerApiErrors(app);
  await registerMetadataRoutes(app, deps);
}

/** Programs in a browser may call what needs no cookie; pages never allow it. */
async function registerCors(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    strictPreflight: false,
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'cal-api-version', 'idempotency-key'],
    exposedHeaders: ['x-request-id', 'www-authenticate', 'retry-after'],
    maxAge: 86_400,
  });
}
