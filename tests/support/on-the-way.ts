import type { LightMyRequestResponse } from 'fastify';
import { textOf } from './page-content.ts';
import type { TestService } from './service.ts';
import { hiddenFieldsOf, postForm, type TestUser } from './world.ts';

/** A browser that follows redirects within the service, as people see it; each page is a tab of its own. */
export function startVisit(service: TestService, cookies = '') {
  const { app, appUrl } = service;
  const jar = new Map(cookies === '' ? [] : cookies.split('; ').map(pairOf));
  const cookie = (): string => [...jar].map((pair) => pair.join('=')).join('; ');
  const keep = (answer: LightMyRequestResponse): LightMyRequestResponse => {
    for (const { name, value, maxAge } of answer.cookies)
      if (maxAge === 0) jar.delete(name);
      else jar.set(name, value);
    return answer;
  };
  const open = async (url: string): Promise<LightMyRequestResponse> =>
    follow(keep(await app.inject({ url: url.replace(appUrl, ''), headers: { cookie: cookie() } })));
  const follow = async (answer: LightMyRequestResponse): Promise<LightMyRequestResponse> => {
    const { location } = answer.headers;
    const refresh = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(answer.body)?.[1];
    const next = location ?? (refresh && textOf(refresh));
    return next?.startsWith('/') === true ? open(next) : answer;
  };
  return {
    cookie,
    open,
    /** Sends the form whose button says so, with what is typed into it. */
    async press(
      { body }: LightMyRequestResponse,
      words: string,
      typed: Readonly<Record<string, string>> = {},
    ): Promise<LightMyRequestResponse> {
      const form = [...body.matchAll(/<form\b[^>]*>.*?<\/form>/gs)]
        .map(([found]) => found)
        .find((found) => new RegExp(`<button[^>]*>(?:<svg.*?</svg>)?${words}</button>`, 's').test(found));
      if (form === undefined) throw new Error(`no form has the button ${words}`);
      const [, action = ''] = /action="([^"]*)"/.exec(form) ?? [];
      const fields = { ...hiddenFieldsOf(form), ...typed };
      return follow(keep(await postForm(service, textOf(action), fields, cookie())));
    },
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
