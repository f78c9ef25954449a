import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderEmail } from '../../src/platform/mail/email.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { requestOf } from '../support/authorization.ts';
import { consentTitle } from '../support/consent.ts';
import { openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { makePng } from '../support/pictures.ts';
import { openTestService } from '../support/service.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { addClient, addUser, authorizePath, signIn } from '../support/world.ts';

const folder = await makeTemporaryDirectory(atTheEnd);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="url(#a)" d="M0 0h8v8z"/></svg>';
const paths = { svg: join(folder, 'logo.svg'), png: join(folder, 'logo.png') };
await writeFile(paths.svg, svg);
await writeFile(paths.png, makePng(64, 64));
const brand = { APP_NAME: 'Åcme & Söhne', BRAND_COLOR: '#0b6e4f' };
const service = await openTestService({ ...brand, BRAND_LOGO: paths.svg });
const shown = 'Åcme &amp; Söhne';

test('the operator’s name is in titles, header, footer, landing page and consent (contract §1, APP_NAME)', async () => {
  const cookie = await signIn(service, await addUser(service));
  const query = new URLSearchParams(requestOf(await addClient(service))).toString();
  const pages = await Promise.all(
    ['/', '/settings/profile', `${authorizePath}?${query}`].map((path) => openAs(service, path, cookie)),
  );

  for (const { body } of pages) {
    expect(body).toMatch(new RegExp(`<title>(?:[^<]* · )?${shown}</title>`));
    expect(body).toContain(`<span>${shown}</span></a>`);
    expect(textOf(body)).not.toContain('Latchkey');
  }
  expect(pages[2]?.body).toContain(`${consentTitle('', shown)}</h1>`);
  expect((await openAs(service, '/')).body).toContain(`<meta property="og:site_name" content="${shown}">`);
});

test('the color is in a file of styles, and the logo replaces our mark, icon and previews', async () => {
  const { body } = await openAs(service, '/signin');
  const [, styles = ''] = /<link rel="stylesheet" href="(\/assets\/brand.css[^"]*)">/.exec(body) ?? [];
  const [, logo = ''] = /<img class="mark" src="([^"]*)" alt="">/.exec(body) ?? [];
  const [css, picture] = await Promise.all([styles, logo].map((url) => service.app.inject(url)));

  expect(css?.body).toContain(':root{--accent:#0b6e4f;--accent-ink:#ffffff;');
  expect(css?.body).toContain('@media (prefers-color-scheme:dark){:root{--accent:#');
  expect(body).toContain(`<link rel="icon" href="${logo}">`);
  expect(body).not.toMatch(/favicon|touch-icon|preview\.png/);
  expect([picture?.headers['content-type'], picture?.body]).toEqual(['image/svg+xml', svg]);
});

test('a logo runs nothing where someone opens its address by itself (security C274)', async () => {
  const { body } = await openAs(service, '/signin');
  const [, logo = ''] = /<img class="mark" src="([^"]*)"/.exec(body) ?? [];
  const { headers } = await service.app.inject(logo);

  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*; sandbox;/);
  expect(headers['content-security-policy']).not.toMatch(/script-src|allow-scripts/);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('a PNG is shown in previews, too', async () => {
  const other = await openTestService({ BRAND_LOGO: paths.png });
  const { body } = await other.app.inject('/');
  const [, preview = ''] = /<meta property="og:image" content="([^"]*)">/.exec(body) ?? [];

  const { headers } = await other.app.inject(preview.slice(other.appUrl.length));

  expect(headers['content-type']).toBe('image/png');
  expect(body).not.toContain('brand.css');
});

test('emails have the name and the color, as cards and as text', () => {
  const { text, html } = renderEmail({ subject: 'Hello', text: ['Hello'] }, 'ann@example.com', service.app);

  expect(text).toContain('\nÅcme & Söhne\n');
  expect(html).toContain(`${shown}</td>`);
  expect(html).toContain('color:#0b6e4f');
  expect(text + html).not.toMatch(/Latchkey|#3d4ed8/);
});

test('without them, everything is as it was', async () => {
  const plain = await openTestService();
  const { body } = await plain.app.inject('/');

  expect(body).toContain('<title>Latchkey</title>');
  expect(body).toContain('<svg class="mark"');
  expect(body).toMatch(/og:image" content="[^"]*preview\.png/);
  expect(body).not.toContain('brand.css');
});
