import { readFile } from 'node:fs/promises';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { ApiAccess } from './api.ts';
import { registerBookings } from './bookings.ts';
import { fetchOverview } from './calendar.ts';
import {
  type ClientSettings,
  createDiscovery,
  finishRequest,
  PermissionEnded,
  refreshTokens,
  revokeTokens,
  startRequest,
  type Tokens,
} from './connection.ts';
import { connectedPage, notices, startPage } from './pages.ts';
import { sendPage, sendTrouble } from './send.ts';
import {
  createSession,
  keepSession,
  rememberRequest,
  type Session,
  type Sessions,
  takeRequest,
} from './sessions.ts';
import { describeTrouble, foreignAnswer } from './trouble.ts';

export interface ThirdPartyAppSettings extends ClientSettings {
  readonly port: number;
}

export interface ThirdPartyApp {
  readonly url: string;
  readonly redirectUri: string;
  close(): Promise<void>;
}

const cookieName = 'tidy_week';
/** The cookie is lax, to come along when the authorization server sends the person back. */
const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax' } as const;
/** Tokens are refreshed so long before they expire, so that none expires on the way. */
const refreshAheadMs = 60_000;

const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** Starts the app at `http://localhost:port`; its redirect URI is `/callback` there. */
export async function startThirdPartyApp(settings: ThirdPartyAppSettings): Promise<ThirdPartyApp> {
  const discover = createDiscovery(settings);
  const sessions: Sessions = new Map();
  const url = `http://localhost:${settings.port}`;
  const redirectUri = `${url}/callback`;
  const app = Fastify();
  await app.register(cookie);
  await app.register(formbody);
  await registerAssets(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(pageHeaders);
    const site = request.headers['sec-fetch-site'] ?? 'same-origin';
    if (request.method === 'POST' && site !== 'same-origin')
      return reply.code(403).send('This form came from another site.\n');
  });

  app.get<{ Querystring: { done?: unknown } }>('/', async (request, reply) => {
    const notice = notices.get(String(request.query.done));
    const access = await accessOf(request);
    if (access === undefined) return sendPage(reply, startPage(notice));
    return sendPage(reply, connectedPage(await fetchOverview(access), access.tokens, notice));
  });

  app.get('/connect', async (request, reply) => {
    const { address, sent } = await startRequest(await discover(), redirectUri);
    const session = sessionOf(request) ?? createSession();
    rememberRequest(session, sent);
    sendSession(request, reply, session);
    return reply.redirect(address.href, 303);
  });

  app.get('/callback', async (request, reply) => {
    const answer = new URL(request.url, url);
    const session = sessionOf(request) ?? createSession();
    const sent = takeRequest(session, answer.searchParams.get('state'));
    if (sent === undefined) return sendTrouble(reply, foreignAnswer);
    const { tokens: former } = session;
    session.tokens = await finishRequest(await discover(), answer, sent);
    sendSession(request, reply, session);
    if (former !== undefined) await revokeTokens(await discover(), former);
    return reply.redirect('/?done=connected', 303);
  });

  app.post('/refresh', async (request, reply) => {
    const session = sessionOf(request);
    if (session?.tokens === undefined) return reply.redirect('/', 303);
    await refresh(session, session.tokens);
    return reply.redirect('/?done=refreshed', 303);
  });

  app.post('/disconnect', async (request, reply) => {
    const tokens = sessionOf(request)?.tokens;
    if (tokens !== undefined) await revokeTokens(await discover(), tokens);
    return endSession(request, reply, 'disconnected');
  });

  registerBookings(app, accessOf);

  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof PermissionEnded) return endSession(request, reply, 'ended');
    return sendTrouble(reply, describeTrouble(error));
  });

  /** Two requests at once share one refresh. */
  async function refresh(session: Session, tokens: Tokens): Promise<Tokens> {
    session.refreshing ??= discover()
      .then((server) => refreshTokens(server, tokens))
      .finally(() => {
        session.refreshing = undefined;
      });
    session.tokens = await session.refreshing;
    return session.tokens;
  }

  async function accessOf(request: FastifyRequest): Promise<ApiAccess | undefined> {
    const session = sessionOf(request);
    if (session?.tokens === undefined) return undefined;
    const tokens = isRunningOut(session.tokens) ? await refresh(session, session.tokens) : session.tokens;
    return { apiUrl: settings.apiUrl, tokens };
  }

  function sessionOf(request: FastifyRequest): Session | undefined {
    return sessions.get(request.cookies[cookieName] ?? '');
  }

  /** Each session gets a new id, so that an id from before is worth nothing. */
  function sendSession(request: FastifyRequest, reply: FastifyReply, session: Session): void {
    sessions.delete(request.cookies[cookieName] ?? '');
    reply.setCookie(cookieName, keepSession(sessions, session), cookieOptions);
  }

  function endSession(request: FastifyRequest, reply: FastifyReply, done: string): FastifyReply {
    sessions.delete(request.cookies[cookieName] ?? '');
    reply.clearCookie(cookieName, cookieOptions);
    return reply.redirect(`/?done=${done}`, 303);
  }

  await app.listen({ host: '127.0.0.1', port: settings.port });
  return { url, redirectUri, close: () => app.close() };
}

async function registerAssets(app: FastifyInstance): Promise<void> {
  const read = (name: string): Promise<Buffer> => readFile(new URL(name, import.meta.url));
  const [style, icon] = await Promise.all([read('style.css'), read('icon.svg')]);
  app.get('/style.css', async (_request, reply) => reply.type('text/css').send(style));
  app.get('/icon.svg', async (_request, reply) => reply.type('image/svg+xml').send(icon));
}

function isRunningOut({ expiresAt }: Tokens): boolean {
  return expiresAt.getTime() - Date.now() < refreshAheadMs;
}
