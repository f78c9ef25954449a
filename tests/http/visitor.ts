import type { LightMyRequestResponse } from 'fastify';
import type { TestService } from '../support/service.ts';
import { hiddenFieldsOf } from '../support/world.ts';

/** A user with a browser that keeps cookies, sends them where they belong, and follows nothing by itself. */
export interface Visitor {
  open(path: string): Promise<LightMyRequestResponse>;
  /** Opens the page at `path`, fills in its first form, hidden fields included, and sends it to `action`. */
  fillIn(
    path: string,
    fields: Readonly<Record<string, string>>,
    action?: string,
  ): Promise<LightMyRequestResponse>;
  /** Goes where an answer leads. */
  follow(answer: LightMyRequestResponse): Promise<LightMyRequestResponse>;
  /** The value of a cookie that the browser holds, by its name. */
  cookie(name: string): string | undefined;
}

interface HeldCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export function createVisitor({ app }: TestService): Visitor {
  let held: readonly HeldCookie[] = [];

  function keep(answer: LightMyRequestResponse): LightMyRequestResponse {
    for (const { name, value, path = '/', maxAge, expires } of answer.cookies) {
      held = held.filter((cookie) => cookie.name !== name || cookie.path !== path);
      const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= 0);
      if (!isGone) held = [...held, { name, value, path }];
    }
    return answer;
  }

  function cookieHeader(path: string): Record<string, string> {
    const [address = ''] = path.split('?');
    const sent = held.filter((cookie) => `${address}/`.startsWith(cookie.path.replace(/\/?$/, '/')));
    return sent.length === 0 ? {} : { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') };
  }

  async function open(path: string): Promise<LightMyRequestResponse> {
    return keep(await app.inject({ url: path, headers: cookieHeader(path) }));
  }

  return {
    open,
    async fillIn(path, fields, action = path) {
      const page = await open(path);
      const [, form = ''] =
        new RegExp(`<form[^>]* action="${action}"[^>]*>(.*?)</form>`, 's').exec(page.body) ?? [];
      const headers = {
        ...cookieHeader(action),
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      };
      const payload = new URLSearchParams({ ...hiddenFieldsOf(form), ...fields }).toString();
      return keep(await app.inject({ method: 'POST', url: action, headers, payload }));
    },
    follow: (answer) => open(String(answer.headers.location)),
    cookie: (name) => held.find((cookie) => cookie.name === name)?.value,
  };
}
