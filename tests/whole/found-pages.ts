import type { LightMyRequestResponse } from 'fastify';
import { sessions } from '../../src/accounts/tables.ts';
import { textOf } from '../support/page-content.ts';
import { listRoutes } from '../support/routes.ts';
import type { TestService } from '../support/service.ts';
import { hiddenFieldsOf } from '../support/world.ts';
import { listDeletionPages } from './deletions.ts';
import { listPages } from './every-page.ts';

/** Routes without a page of their own: what isn't named here has one, and a test looks at it. */
const withoutPage = [
  // Programs ask for these, files are saved, and the reader of the documentation has tests of its own.
  /^\S+ \/(?:v2|mcp|assets|\.well-known|auth\/oauth2\/register|register$)/,
  /^GET \/(?:docs$|docs\/reader\.js|openapi\.json|robots\.txt|healthz|readyz|logos\/)/,
  /\.(?:csv|ics|mjs)$/,
  // They lead elsewhere.
  /^GET \/(?:login|register|developers|settings|settings\/developer|signin\/confirm)$/,
  /^GET \S+(?:\/|\/invite|\/calendar\/google|\/calendar\/outlook)$/,
  // Nothing can be wrong with what is sent, or the next page says so.
  /^POST \/(?:booking\/{uid}\/{proof}\/cancel|settings\/calendars\/destination|settings\/event-types\/{id}\/hosts)$/,
  /^POST \/settings\/admin\/oauth\/{clientId}\/resource$/,
  // A delivery that failed has this button; the pages are those of a person's webhooks.
  /^POST \/settings\/(?:developer|teams)\/\S+\/resend$/,
];

interface Lead {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** What a form sends that nobody has filled in; one of a button alone has none. */
  readonly payload?: string;
}

function leadsOf(html: string): readonly Lead[] {
  const links = [...html.matchAll(/<a\b[^>]* href="(\/[^"#]*)/g)].map(
    ([, url = '']) => ({ method: 'GET', url: textOf(url) }) as const,
  );
  const forms = [...html.matchAll(/<form[^>]* method="post" action="(\/[^"]*)".*?<\/form>/gs)].map(
    ([form, url = '']) => {
      const payload = new URLSearchParams(hiddenFieldsOf(form)).toString();
      const isFilledIn = /<(?:textarea|select|input(?![^>]* type="hidden"))\b/.test(form);
      return { method: 'POST', url: textOf(url), ...(isFilledIn && { payload }) } as const;
    },
  );
  return [...links, ...forms];
}

/** Other answers are the same everywhere. */
const isOwn = ({ statusCode, headers }: LightMyRequestResponse): boolean =>
  ![403, 404, 405, 413, 415, 500, 503].includes(statusCode) &&
  `${headers['content-type']}`.startsWith('text/html');

/**
 * Every page: those that are listed, and one of each other route that they lead to, by a link or by a form that is sent
 * as it is. `untried` are routes that may have pages, of which none was found.
 */
export async function findPages(service: TestService) {
  const { app, clock, database } = service;
  const pages = [...(await listPages(service)), ...(await listDeletionPages(service))];
  const routes = listRoutes(app)
    .map(({ method, path }) => {
      const plain = path.replaceAll(/(\{\w+\})\(\^.*\$\)/g, '$1');
      const address = new RegExp(`^${method} ${plain.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return { name: `${method} ${plain}`, address, parameters: plain.split('{').length };
    })
    .filter(({ name }) => !withoutPage.some((pattern) => pattern.test(name)))
    .toSorted((one, other) => one.parameters - other.parameters);
  const routeOf = (method = '', url = ''): string | undefined =>
    routes.find(({ address }) => address.test(`${method} ${url.replace(/\?.*/s, '')}`))?.name;
  const answers: LightMyRequestResponse[] = [];
  // One after the other: one of them is the page of an outage.
  for (const { show } of pages) answers.push(await show());
  const own = answers.filter(isOwn).map(({ raw }) => routeOf(raw.req.method, raw.req.url));
  const tried = new Set(own);
  // No page asks first who it is.
  await database.db.update(sessions).set({ createdAt: clock.now() });
  for (const { body, raw } of answers)
    for (const { method, url, payload } of leadsOf(body)) {
      const name = routeOf(method, url);
      if (name === undefined || tried.has(name)) continue;
      if (method === 'GET' || payload !== undefined) {
        const { cookie = '' } = raw.req.headers;
        const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await app.inject({ method, url, headers, ...(method === 'POST' && { payload }) });
        if (!isOwn(answer)) continue;
        answers.push(answer);
        pages.push({ name, status: answer.statusCode, show: async () => answer });
      }
      tried.add(name);
    }
  return { pages, untried: routes.map(({ name }) => name).filter((name) => !tried.has(name)) };
}
