import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { listPages } from '../support/every-page.ts';
import { addressesOn, isOwnAddress, policyOf, skeletonOf, textOf, titleOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { hiddenFieldsOf } from '../support/world.ts';

const service = await openTestService();
const isRedirect = (status: number): boolean => status === 301 || status === 303;
const pages = (await listPages(service)).filter(
  ({ status, isPlain = false }) => !isRedirect(status) && !isPlain,
);

describe.each(pages)('$name', ({ show }) => {
  test('is a whole HTML page with one headline and a title', async () => {
    const page = await show();

    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(skeletonOf(page.body).filter((tag) => tag === 'h1')).toHaveLength(1);
    expect(titleOf(page)).not.toBe('');
    expect(/<title>(.*?)<\/title>/.exec(page.body)?.[1]).toMatch(/Latchkey$/);
  });

  test('has no address of another origin (security C19)', async () => {
    const { body } = await show();

    const addresses = addressesOn(body);
    expect(addresses).toContain('/');
    expect(addresses.filter((address) => !isOwnAddress(address))).toEqual([]);
  });

  test('has no script or style in its markup, which the policy would stop (security C17)', async () => {
    const { body } = await show();

    const tags = skeletonOf(body);
    expect(tags.filter((tag) => /^style\b/.test(tag))).toEqual([]);
    expect(tags.filter((tag) => /^script\b/.test(tag) && !tag.includes(' src'))).toEqual([]);
    expect(tags.filter((tag) => / (style|on[a-z]+|target)\b/.test(tag))).toEqual([]);
  });

  test('sends its forms by POST to its own origin, none by accident by GET', async () => {
    const { body } = await show();

    const forms = [...body.matchAll(/<form[^>]*>/g)].map(([tag]) => tag);
    const isQuestion = (tag: string): boolean =>
      / method="get" action="\/[^"/][^>]* (?:role="search"|aria-label="Time zone")/.test(tag);
    expect(forms.filter((tag) => !/ method="post" action="\/[^"/]/.test(tag) && !isQuestion(tag))).toEqual(
      [],
    );
    // What such a form keeps is in the address anyway.
    for (const [question] of body.matchAll(/<form[^>]* method="get".*?<\/form>/gs))
      expect(
        Object.keys(hiddenFieldsOf(question)).filter((name) => !['month', 'date'].includes(name)),
      ).toEqual([]);
  });

  test('has the token of the session in every form, before its other fields; signed out in none', async () => {
    const { body, raw } = await show();

    const isSignedIn = /session=/.test(String(raw.req.headers['cookie']));
    const tokens = [...body.matchAll(/<form[^>]* method="post"[^>]*>(?<first>\s*<input[^>]*>)?/g)].map(
      ([, first = '']) => hiddenFieldsOf(first)['form_token'] ?? '',
    );
    expect(tokens.filter((token) => /^[\w-]{43}$/.test(token) !== isSignedIn)).toEqual([]);
    expect(new Set(tokens).size).toBeLessThan(2);
    expect(body.split('name="form_token"')).toHaveLength(isSignedIn ? tokens.length + 1 : 1);
  });

  test('sends its forms to addresses that there are', async () => {
    const { body } = await show();

    const forms = [...body.matchAll(/<form[^>]* method="(\w+)" action="([^"?#]*)/g)];
    const lost = forms.filter(
      ([, method = '', path = '']) =>
        !service.app.allowedMethods(path, '').split(', ').includes(method.toUpperCase()),
    );
    expect(lost.map(([tag]) => tag)).toEqual([]);
  });

  test('leads on, and asks for one thing first', async () => {
    const { body } = await show();

    const [content = ''] = /<main.*<\/main>/s.exec(body) ?? [];
    const tags = [...content.matchAll(/<(?:a|button|summary)\b[^>]*>/g)].map(([tag]) => tag);
    const primary = tags.filter((tag) => /class="button(?!.*\b(?:plain|danger)\b)/.test(tag));
    expect(tags.length).toBeGreaterThan(0);
    expect(primary.length).toBeLessThan(2);
  });

  test('shows no leftover of a template or a value that is not there', async () => {
    const { body } = await show();

    expect(textOf(body)).not.toMatch(/<%|%>|undefined|\[object |NaN/);
    expect(textOf(body)).not.toMatch(/\bnull\b/);
  });
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
  const shown = await Promise.all(pages.map(({ show }) => show()));
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
