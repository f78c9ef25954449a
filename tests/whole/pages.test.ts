import { gunzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { addressesOn, isOwnAddress, policyOf, skeletonOf, textOf, titleOf } from '../support/page-content.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { hiddenFieldsOf } from '../support/world.ts';
import { findPages } from './found-pages.ts';

const service = await openTestService();
const secure = await openAnotherInstance(service, { APP_URL: 'https://latchkey.example' });
const { pages, untried } = await findPages(secure);
/** Boxes of one question have one name; the rest is the HTML standard and what WCAG asks of markup. */
const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit'] }],
    // A region that scrolls is no section of the text.
    'prefer-native-element': 'off',
  },
});
const isRedirect = (status: number): boolean => status === 301 || status === 303;

/** What every answer for people has, redirects and plain ones too. */
function checkHeaders({ headers }: LightMyRequestResponse, referrerPolicy: string): void {
  expect.soft(headers, 'the headers of every page (security C17, C19)').toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': referrerPolicy,
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{24}$/),
  });
  const open = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
  expect.soft(open, 'it is open to no other origin (security C39)').toEqual([]);
  for (const name of ['server', 'x-powered-by'])
    expect.soft(headers, 'it tells nothing of its making (security C39)').not.toHaveProperty(name);
  expect
    .soft(headers['strict-transport-security'], 'on https it keeps browsers there (RFC 6797)')
    .toBe('max-age=31536000');
}

function checkPolicy(answer: LightMyRequestResponse): void {
  const policy = policyOf(answer);
  const why = 'it may not be framed, and runs and loads nothing but our own files (security C17, C19)';
  expect.soft(policy, why).toMatchObject({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
  expect.soft(policy['form-action']?.[0], why).toBe("'self'");
  expect.soft(Object.values(policy).flat().join(' '), why).not.toMatch(/unsafe|\*(?!$| )|data:/);
}

function checkMarkup(page: LightMyRequestResponse, leadsTo: string | undefined): void {
  const { headers, body } = page;
  const tags = skeletonOf(body);
  const whole = 'it is a whole HTML page with one headline and a title';
  expect.soft(headers['content-type'], whole).toBe('text/html; charset=utf-8');
  expect.soft(body, whole).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect
    .soft(
      tags.filter((tag) => tag === 'h1'),
      whole,
    )
    .toHaveLength(1);
  expect.soft(titleOf(page), whole).not.toBe('');
  expect.soft(/<title>(.*?)<\/title>/.exec(body)?.[1], whole).toMatch(/Latchkey$/);

  const addresses = addressesOn(body);
  expect.soft(addresses).toContain('/');
  expect
    .soft(
      // An email program has no origin, and the address to pass on names ours.
      addresses.filter(
        (address) => !isOwnAddress(address) && !/^(?:mailto:|https:\/\/latchkey\.example\/)/.test(address),
      ),
      'it has no address of another origin, but for a meeting’s (security C19)',
    )
    .toEqual(leadsTo === undefined ? [] : [leadsTo]);
  const stopped = tags.filter(
    (tag) =>
      /^style\b/.test(tag) ||
      (/^script\b/.test(tag) && !tag.includes(' src')) ||
      / (style|on[a-z]+|target)\b/.test(tag),
  );
  expect
    .soft(stopped, 'it has no script or style in its markup, which the policy would stop (security C17)')
    .toEqual([]);
  const leftover = 'it shows no leftover of a template or a value that is not there';
  expect.soft(textOf(body), leftover).not.toMatch(/<%|%>|undefined|\[object |NaN|\bnull\b/);
}

async function checkStandard({ body }: LightMyRequestResponse): Promise<void> {
  const { results } = await validator.validateString(body);
  const faults = results.flatMap(({ messages }) =>
    messages.map(({ message, selector }) => `${message} at ${selector}`),
  );
  expect.soft(faults, 'its markup is what the HTML standard allows').toEqual([]);
}

/** What people type about themselves is filled in by their browser (WCAG 1.3.5). */
const ownDetails = { name: 'name', email: 'email' } as const;

test('a booking form suggests nothing of its own, and lets the browser fill in who books (WCAG 1.3.5)', async () => {
  const forms = pages.filter(({ name }) => ['the form of a slot', 'a booking with faults'].includes(name));

  expect(forms).toHaveLength(2);
  for (const { show } of forms) {
    const { body } = await show();
    expect(body).not.toMatch(/<datalist|<(?:input|textarea)[^>]* list=|autocomplete="off"/);
    for (const [name, filled] of Object.entries(ownDetails))
      expect(body).toMatch(new RegExp(`<input[^>]* name="${name}"[^>]* autocomplete="${filled}"`));
  }
});

function checkForms({ body, raw }: LightMyRequestResponse): void {
  const forms = [...body.matchAll(/<form[^>]*>/g)].map(([tag]) => tag);
  const isQuestion = (tag: string): boolean =>
    / method="get" action="\/[^"/][^>]* (?:role="search"|aria-label="Time zone")/.test(tag);
  const strays = forms.filter((tag) => !/ method="post" action="\/[^"/]/.test(tag) && !isQuestion(tag));
  expect.soft(strays, 'it sends its forms by POST to its own origin, none by accident by GET').toEqual([]);
  // What such a form keeps is in the address anyway.
  for (const [question] of body.matchAll(/<form[^>]* method="get".*?<\/form>/gs))
    expect
      .soft(
        Object.keys(hiddenFieldsOf(question)).filter((name) => !['month', 'date', 'status'].includes(name)),
      )
      .toEqual([]);

  const isSignedIn = /session=/.test(String(raw.req.headers['cookie']));
  const tokens = [...body.matchAll(/<form[^>]* method="post"[^>]*>(?<first>\s*<input[^>]*>)?/g)].map(
    ([, first = '']) => hiddenFieldsOf(first)['form_token'] ?? '',
  );
  const token = 'every form has the token of the session before its other fields; signed out none has';
  expect
    .soft(
      tokens.filter((one) => /^[\w-]{43}\.[\w-]{43}$/.test(one) !== isSignedIn),
      token,
    )
    .toEqual([]);
  expect.soft(new Set(tokens).size, token).toBeLessThan(2);
  expect.soft(body.split('name="form_token"'), token).toHaveLength(isSignedIn ? tokens.length + 1 : 1);

  const lost = [...body.matchAll(/<form[^>]* method="(\w+)" action="([^"?#]*)/g)].filter(
    ([, method = '', path = '']) =>
      !secure.app.allowedMethods(path, '').split(', ').includes(method.toUpperCase()),
  );
  expect
    .soft(
      lost.map(([tag]) => tag),
      'it sends its forms to addresses that there are',
    )
    .toEqual([]);
}

function checkFocus({ body }: LightMyRequestResponse): void {
  const hasFault = /aria-invalid="true"|<p class="fault(?! hidden)[^>]* id=/.test(body);
  const focused = 'the focus is at the first fault, or at what was done, so that it is read out (WCAG 4.1.3)';
  if (hasFault) expect.soft(body, focused).toMatch(/<[^>]* autofocus/);
  if (hasFault) expect.soft(body, focused).toMatch(/<title>Error: /);
  for (const [notice] of body.matchAll(/<div class="notice good" role="status"[^>]*>/g))
    expect.soft(notice, focused).toContain(' tabindex="-1" autofocus');
}

function checkWaysOn({ body }: LightMyRequestResponse): void {
  const [content = ''] = /<main.*<\/main>/s.exec(body) ?? [];
  const tags = [...content.matchAll(/<(?:a|button|summary)\b[^>]*>/g)].map(([tag]) => tag);
  const primary = tags.filter((tag) => /class="button(?!.*\b(?:plain|danger)\b)/.test(tag));
  expect.soft(tags.length, 'it leads on').toBeGreaterThan(0);
  expect.soft(primary.length, 'it asks for one thing first').toBeLessThan(2);
}

test.each(pages)(
  '$name is answered as every page is: headers, policy, markup, forms, ways on (security C17, C19, C39)',
  async ({ status, show, leadsTo, referrerPolicy = 'same-origin', isPlain = false }) => {
    const page = await show();

    expect(page.statusCode).toBe(status);
    checkHeaders(page, referrerPolicy);
    checkPolicy(page);
    if (isRedirect(status) || isPlain) return;
    checkMarkup(page, leadsTo);
    await checkStandard(page);
    checkForms(page);
    checkFocus(page);
    checkWaysOn(page);
  },
);

test('no route that may have a page is left out', () => {
  expect(untried).toEqual([]);
});

test('nothing is sent after an answer, of which Fastify would log the whole address (security C25)', () => {
  expect(secure.logText()).not.toContain('already sent');
});

test.each(['/', '/signin', '/signup'])(
  'the assets of %s are there, ours, and cached for good',
  async (url) => {
    const page = await service.app.inject(url);

    const assets = addressesOn(page.body).filter((address) => address.startsWith('/assets/'));
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const answer = await service.app.inject(asset);
      expect(asset).toMatch(/\?v=[\w-]{10}$/);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(addressesOn(answer.body).filter((address) => !isOwnAddress(address))).toEqual([]);
    }
  },
);

const askCompressed = (url: string) =>
  service.app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });

test('styles and scripts are compressed for browsers that understand it, fonts are not', async () => {
  const [styles, plain, font] = await Promise.all([
    askCompressed('/assets/style.css'),
    service.app.inject('/assets/style.css'),
    askCompressed('/assets/geist-latin.woff2'),
  ]);

  expect([styles, plain, font].map(({ headers }) => headers['content-encoding'])).toEqual([
    ...['gzip', undefined, undefined],
  ]);
  expect([styles, plain].map(({ headers }) => headers['vary'])).toEqual([
    'accept-encoding',
    'accept-encoding',
  ]);
  expect(gunzipSync(styles.rawPayload)).toEqual(plain.rawPayload);
});

test('search engines are told what is nobody else’s, and can ask so from public pages alone', async () => {
  const [robots, home, signIn] = await Promise.all(
    ['/robots.txt', '/', '/signin'].map((url) => service.app.inject(url)),
  );

  expect([robots?.statusCode, robots?.headers['content-type']]).toEqual([200, 'text/plain']);
  expect(robots?.body).toContain('Disallow: /settings/\n');
  expect([home, signIn].map((page) => page && policyOf(page)['connect-src'])).toEqual([
    ["'self'"],
    undefined,
  ]);
});

test('the styles and scripts of all pages together take less than 60 KB, compressed', async () => {
  const whole = pages.filter(({ status, isPlain = false }) => !isRedirect(status) && !isPlain);
  const shown = await Promise.all(whole.map(({ show }) => show()));
  const files = new Set(
    shown.flatMap(({ body }) => addressesOn(body)).filter((one) => /^\/assets\/.*\.(css|js)\?/.test(one)),
  );

  const sizes = await Promise.all(
    [...files].map(async (file) => (await askCompressed(file)).rawPayload.length),
  );

  expect(files.size).toBeGreaterThan(4);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * 1024);
});

test('the font is ours, and there before the text that it draws', async () => {
  const page = await service.app.inject('/');
  const styles = await service.app.inject('/assets/style.css');

  const [, font = ''] = /<link rel="preload" href="([^"]+)" as="font"/.exec(page.body) ?? [];
  expect(styles.body).toContain(`url("${font}")`);
  for (const [, address = ''] of styles.body.matchAll(/url\("([^"]+)"\)/g)) {
    const { statusCode, headers, rawPayload } = await service.app.inject(address);
    expect([statusCode, headers['content-type']]).toEqual([200, 'font/woff2']);
    expect(rawPayload.length).toBeLessThan(60 * 1024);
  }
  expect(policyOf(page)['font-src']).toEqual(["'self'"]);
});

test.each(['/', '/signin', '/auth/oauth2/authorize', '/settings/developer/oauth/new'])(
  'a preflight to %s allows nothing (security C39)',
  async (url) => {
    const answer = await service.app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });

    expect(answer.statusCode).toBe(405);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  },
);

test.each([
  '/v2/me',
  '/v2/auth/oauth2/token',
  '/.well-known/oauth-authorization-server',
  '/healthz',
  '/openapi.json',
])('on https %s keeps clients there too (RFC 6797)', async (url) => {
  const answer = await secure.app.inject(url);

  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
});

test('on plain http no page demands https', async () => {
  const page = await service.app.inject('/');

  expect(page.headers).not.toHaveProperty('strict-transport-security');
});
