import { join } from 'node:path';
import cookie from '@fastify/cookie';
import view from '@fastify/view';
import { Eta } from 'eta';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { packageFolder } from '../platform/package.ts';
import { acceptForms } from '../platform/parameters.ts';
import { handedIn } from '../platform/parts.ts';
import { type ScopedPlugin, scopedPlugin } from '../platform/scoped-plugin.ts';
import { english } from '../platform/words.ts';
import { sendFaultPage } from './error-pages.ts';
import { pageHeaders } from './headers.ts';
import { isRead, sendPage } from './pages.ts';
import { translated } from './translated.ts';

const viewsFolder = join(packageFolder, 'views');

export const pageScopePlugin = fp(
  async (app) => {
    const { appUrl } = app.config;
    const links = handedIn(app.parts, ({ web }) => web?.navigation);
    app.decorate(
      'navigationLinks',
      links.toSorted((one, other) => one.place - other.place),
    );
    for (const name of [
      'viewer',
      'keepSent',
      'languageChoice',
      'warning',
      'outcome',
      'waiting',
      'ownOrigin',
      'onTheWay',
    ])
      app.decorateRequest(name, undefined);
    app.decorateRequest('words');
    app.setValidatorCompiler(validatorCompiler);
    app.removeContentTypeParser(['application/json', 'text/plain']);
    acceptForms(app);
    await app.register(cookie);
    // protects: C33
    const plugins = [{ processTemplate: addFormTokens, processFnString: nameValues }];
    const eta = new Eta({ views: viewsFolder, cache: true, plugins });
    await app.register(view, {
      engine: { eta },
      templates: viewsFolder,
      viewExt: 'eta',
      production: true,
    });
    app.addHook('onRequest', async (request, reply) => {
      request.words = english;
      reply.headers(pageHeaders());
    });
    app.addHook('preValidation', async (request, reply) => {
      if (request.method !== 'POST') return undefined;
      const sender = senderOf(request, appUrl);
      const address = sender === 'ours' ? undefined : request.routeOptions.config.addressOfPosted?.(request);
      if (address !== undefined) return reply.redirect(address, 303);
      if (sender === 'others') return sendCrossOriginFault(reply); // protects: C480
      // A form without fields has no body, which a schema would refuse.
      request.body ??= {};
      return undefined;
    });
    app.addHook('preHandler', async (request) => {
      if (request.viewer?.isAdmin !== true || !isRead(request)) return;
      const counted = links.map(async ({ address, countWaiting }) => {
        return [address, (await countWaiting?.(app)) ?? 0] as const;
      });
      request.waiting = new Map(await Promise.all(counted));
    });
    // Emails that a form has caused are sent now; nothing waits for them.
    app.addHook('onResponse', async ({ method }, { statusCode }) => {
      if (method === 'POST' && statusCode < 400) app.mail.nudge();
    });
    app.setErrorHandler(sendFaultPage);
  },
  { name: 'page-scope', dependencies: ['platform'] },
);

/**
 * Templates contain no typed text. The token comes first: fields after a file are read after it.
 * It's for our own forms: `rel="external"` marks those that lead elsewhere.
 */
function addFormTokens(template: string): string {
  const field = '<input type="hidden" name="form_token" value="<%= it.viewer.formToken %>">';
  return template.replaceAll(/<form\b(?:<%.*?%>|[^>])*>/gs, (form) =>
    form.includes('method="post"') && !form.includes('rel="external"') // protects: C350
      ? `${form}<% if (it.viewer) { %>${field}<% } %>`
      : form,
  );
}

/** A partial gets what is named for it and what all pages share, but no page's other values by chance. */
function nameValues(compiled: string): string {
  const inherited = '{...it, ...(__eta_d ?? {})}';
  if (!compiled.includes(inherited)) throw new Error('Eta hands values to partials in another way now');
  return compiled.replace(inherited, '{...it.shared, shared: it.shared, path: it.path, ...__eta_d}');
}

/**
 * Scopes a group of pages, which speak the reader's language. A boot fails where pages can't be (ADR
 * 10).
 */
export function pagesPlugin(name: string, plugin: ScopedPlugin): ScopedPlugin {
  return scopedPlugin(name, ['page-scope', 'sessions'], 'requests', async (app, options) => {
    app.addHook('onRequest', translated);
    await plugin(app, options);
  });
}

/**
 * Older browsers and plain http lack Sec-Fetch-Site. A caller without Origin, too, is no browser.
 */
function senderOf(request: FastifyRequest, appUrl: string): 'ours' | 'others' | 'no browser' {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return 'ours';
  if (site !== undefined && site !== 'none') return 'others';
  const { origin } = request.headers;
  if (origin === undefined) return 'no browser';
  return origin === (request.ownOrigin ?? appUrl) ? 'ours' : 'others';
}

async function sendCrossOriginFault(reply: FastifyReply): Promise<FastifyReply> {
  const { t } = reply.request.words;
  return sendPage(reply.code(403), 'error', {
    title: t('This form came from another site'),
    text: t('For your safety, nothing was changed. Open the page here and try again.'),
  });
}
