import type { LightMyRequestResponse } from 'fastify';
import { textOf } from './page-content.ts';
import type { TestService } from './service.ts';
import { hiddenFieldsOf, type TestUser } from './world.ts';

type Typed = Readonly<Record<string, string | readonly string[]>>;

/**
 * A browser that keeps cookies and follows redirects within the service, with the same form after 307; each page is a
 * tab of its own.
 */
export function startVisit({ app, appUrl }: TestService, cookies = '') {
  const jar = new Map(cookies === '' ? [] : cookies.split('; ').map(pairOf));
  const cookie = (): string => [...jar].map((pair) => pair.join('=')).join('; ');
  const visited: string[] = [];

  async function open(address: string, form?: Typed): Promise<LightMyRequestResponse> {
    const url = address.replace(appUrl, '');
    const method = form === undefined ? 'GET' : 'POST';
    visited.push(`${method} ${url.replace(/\?.*/, '')}`);
    const pairs = Object.entries(form ?? {}).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    );
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await app.inject({
      ...{ method, url, headers: { ...type, 'sec-fetch-site': 'same-origin', cookie: cookie() } },
      ...(form !== undefined && { payload: new URLSearchParams(pairs).toString() }),
    });
    for (const { name, value } of answer.cookies) value === '' ? jar.delete(name) : jar.set(name, value);
    const refresh = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(answer.body)?.[1];
    const next = answer.headers.location ?? (refresh && textOf(refresh));
    if (next?.startsWith('/') !== true) return answer;
    return open(next, answer.statusCode === 307 ? form : undefined);
  }

  return {
    cookie,
    open,
    /** Sends the form with that action, or whose button says so, with what is typed into it. */
    async press({ body }: LightMyRequestResponse, which: string, typed: Typed = {}) {
      const has = which.startsWith('/')
        ? new RegExp(`^<form[^>]* action="${which}"`)
        : new RegExp(`<button[^>]*>(?:<svg.*?</svg>)?${which}</button>`, 's');
      const forms = [...body.matchAll(/<form\b[^>]*>.*?<\/form>/gs)].map(([found]) => found);
      const form = forms.find((found) => has.test(found));
      if (form === undefined) throw new Error(`no form has ${which}: ${body}`);
      const [, action = ''] = /action="([^"]*)"/.exec(form) ?? [];
      return open(textOf(action), { ...hiddenFieldsOf(form), ...typed });
    },
    /** Methods and paths, in order. */
    visited,
  };
}

export const credentialsOf = ({ email, password }: Pick<TestUser, 'email' | 'password'>) => ({
  email,
  password,
});

function pairOf(text: string): [string, string] {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  return [name, value];
}
