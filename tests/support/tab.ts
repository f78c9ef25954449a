import type { LightMyRequestResponse } from 'fastify';
import type { TestService } from './service.ts';
import { hiddenFieldsOf } from './world.ts';

export type Typed = Readonly<Record<string, string | readonly string[]>>;

/** A person's browser: it keeps cookies, and follows redirects, with the same form after 307. */
export function openTab(service: TestService, cookies = '') {
  const jar = new Map(
    cookies.split('; ').map((pair) => [pair.replace(/=.*/, ''), pair.replace(/^[^=]*=/, '')]),
  );
  const visited: string[] = [];

  async function send(url: string, form?: Typed): Promise<LightMyRequestResponse> {
    visited.push(`${form === undefined ? 'GET' : 'POST'} ${url.replace(/\?.*/, '')}`);
    const pairs = Object.entries(form ?? {}).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    );
    const answer = await service.app.inject({
      method: form === undefined ? 'GET' : 'POST',
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form === undefined ? {} : { payload: new URLSearchParams(pairs).toString() }),
    });
    for (const { name, value } of answer.cookies) value === '' ? jar.delete(name) : jar.set(name, value);
    const { location } = answer.headers;
    if (location === undefined || !location.startsWith('/')) return answer;
    return send(location, answer.statusCode === 307 ? form : undefined);
  }

  return {
    send,
    /** Sends the page's form with that action, and what is typed. */
    async press(page: LightMyRequestResponse, action: string, typed: Typed = {}) {
      const [, fields] =
        new RegExp(`<form[^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(page.body) ?? [];
      if (fields === undefined) throw new Error(`no form to ${action}: ${page.body}`);
      return send(action, { ...hiddenFieldsOf(fields), ...typed });
    },
    /** Methods and paths, in order. */
    visited,
    cookie: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
  };
}
