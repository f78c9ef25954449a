import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import serveStatic from '@fastify/static';
import view from '@fastify/view';
import { Eta } from 'eta';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from './io/database.ts';
import { packageFolder } from './io/package-folder.ts';
import { momentsOf } from './moments.ts';

/** Who looks at a page, as the layout shows it. */
export interface Viewer {
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  /** IANA; instants on pages are told in it. */
  readonly timeZone: string;
  /** Goes into every form that the viewer may send. */
  readonly formToken: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | undefined;
    /** The origin at which the page is shown, where that is not the app's own: known from configuration, never taken from the request. */
    ownOrigin: string | undefined;
  }
}

const viewsFolder = join(packageFolder, 'views');
const assetsFolder = join(viewsFolder, 'assets');

/**
 * What all pages share: templates, form bodies, cookies, headers and the error page. Register it once, in the scope of the
 * pages.
 */
export async function registerPageScope(
  app: FastifyInstance,
  { appUrl }: { readonly appUrl: string },
): Promise<void> {
  app.decorateRequest('viewer', undefined);
  app.decorateRequest('ownOrigin', undefined);
  app.removeContentTypeParser(['application/json', 'text/plain']);
  await app.register(formbody, { bodyLimit: 64 * 1024 });
  await app.register(cookie);
  const eta = new Eta({ views: viewsFolder, cache: true });
  await app.register(view, {
    engine: { eta },
    templates: viewsFolder,
    viewExt: 'eta',
    production: true,
    defaultContext: { assetVersions: readAssetVersions() },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(pageHeaders(appUrl));
  });
  app.addHook('preValidation', async (request, reply) => {
    if (request.method === 'POST' && !isFromOurPages(request, appUrl))
      return sendCrossOriginFault(request, reply);
  });
  app.setErrorHandler(sendFaultPage);
}

/** Files for pages. Register them outside the scope of the pages: nobody's session is looked up for them. */
export async function registerAssets(
  app: FastifyInstance,
  { appUrl }: { readonly appUrl: string },
): Promise<void> {
  const { 'cache-control': _uncached, ...headers } = pageHeaders(appUrl);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  await app.register(serveStatic, {
    root: assetsFolder,
    prefix: '/assets/',
    maxAge: '1y',
    immutable: true,
    index: false,
    wildcard: false,
  });
}

/** Assets are cached for good; their addresses change with their content. */
function readAssetVersions(): Readonly<Record<string, string>> {
  const versionOf = (asset: string): string =>
    createHash('sha256')
      .update(readFileSync(join(assetsFolder, asset)))
      .digest('base64url')
      .slice(0, 10);
  return Object.fromEntries(readdirSync(assetsFolder).map((asset) => [asset, versionOf(asset)]));
}

/** What every page carries, error pages too: no framing, no other origin, no caching (contract §3, checks C17, C19). */
export function pageHeaders(appUrl: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy([]),
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cache-control': 'no-store',
    ...(appUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

function contentSecurityPolicy(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Whether a form was sent by one of our own pages. Browsers say where a request comes from in Sec-Fetch-Site or, older ones and
 * plain http, in Origin; a caller that sends neither is no browser, and has nobody's cookies.
 */
function isFromOurPages(request: FastifyRequest, appUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return true;
  if (site !== undefined && site !== 'none') return false;
  const { origin } = request.headers;
  return origin === undefined || origin === (request.ownOrigin ?? appUrl);
}

async function sendCrossOriginFault(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(403), 'error', {
    title: 'This form came from another site',
    text: 'For your safety nothing was done. Open the page here and try again.',
  });
}

/**
 * Renders a view. `formTargets` are the CSP sources, besides our own origin, to which a form on the page may lead in the
 * end: Chromium checks each redirect of a form's answer against them.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  viewName: string,
  data: Readonly<Record<string, unknown>> & { readonly title: string },
  formTargets: readonly string[] = [],
): Promise<FastifyReply> {
  if (formTargets.length > 0) reply.header('content-security-policy', contentSecurityPolicy(formTargets));
  const { viewer } = request;
  const path = request.url.replace(/\?.*$/s, '');
  return reply.view(viewName, { ...data, ...momentsOf(viewer?.timeZone ?? 'UTC'), path, viewer });
}

/** The way on from a page that has none of its own. */
export const homePage = { address: '/', words: 'To the home page' } as const;

/** The page for an address that leads nowhere. */
export async function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(404), 'error', {
    title: 'There is no such page',
    text: 'The address may be mistyped, or what was here is gone.',
    next: homePage,
  });
}

async function sendFaultPage(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isAway = isDatabaseAway(error);
  const status = isAway ? 503 : (error.statusCode ?? 500);
  // Whoever puts people off on purpose is no fault, and says so by name: a crowd must not fill the log with stacks.
  if (status === 503 && !isAway) request.log.warn({ reason: error.name }, 'a page was put off');
  else if (status >= 500) request.log.error({ err: error }, 'a page failed');
  else request.log.info({ code: error.code, reason: error.name }, 'a page was refused');
  if (status === 503 || status === 429) reply.header('retry-after', '5');
  return sendPage(request, reply.code(status), 'error', faultWords(status));
}

function faultWords(status: number): { title: string; text: string } {
  if (status === 503)
    return { title: 'We will be back in a moment', text: 'Please try again in a few seconds.' };
  if (status === 429)
    return {
      title: 'Too many requests at once',
      text: 'They came from where you are, and nothing was done. Please try again in a few seconds.',
    };
  if (status >= 500) return { title: 'Something went wrong', text: 'That was our fault. Please try again.' };
  return {
    title: 'This request could not be read',
    text: 'Nothing was changed. Please go back and try again.',
  };
}
