import { expect, test } from 'vitest';
import { titleOf } from '../support/page-content.ts';
import { logoPath, logosOf, makePng, uploadLogo } from '../support/pictures.ts';
import { findClientRow, formTokenOf, postOwnForm, submitClient } from '../support/registration.ts';
import { eventsOf } from '../support/secrets.ts';
import { sharedService } from '../support/service.ts';
import { addUser, postForm, startSession } from '../support/world.ts';

const service = await sharedService();
const picture = makePng(64, 64);
const { id, cookie } = await submitClient(service, { name: 'Hidden Desk' });
const stranger = await startSession(service, await addUser(service));

async function expectUntouched(): Promise<void> {
  expect(await logosOf(service, id)).toEqual([]);
  expect(await findClientRow(service, id)).toMatchObject({ logoId: null, revision: 1 });
  expect(await eventsOf(service, id)).toEqual(['submitted']);
}

test("another person's client has no logo page, and takes no logo (contract §2)", async () => {
  const page = await service.app.inject({ url: logoPath(id), headers: { cookie: stranger } });
  const uploaded = await uploadLogo(service, id, stranger, picture);
  const refused = await uploadLogo(service, id, stranger, Buffer.from('no picture'));
  const removed = await postOwnForm(service, `${logoPath(id)}/remove`, {}, stranger);

  expect([page, uploaded, refused, removed].map(({ statusCode }) => statusCode)).toEqual([
    404, 404, 404, 404,
  ]);
  expect(page.body + uploaded.body + refused.body).not.toContain('Hidden Desk');
  await expectUntouched();
});

test.each(['unknown', 'x'.repeat(3000), '%20'])('there is no client %s: 404', async (clientId) => {
  expect((await uploadLogo(service, clientId, cookie, picture)).statusCode).toBe(404);
});

test("an upload without the session's form token is refused, and one from another site", async () => {
  const foreign = await formTokenOf(service, stranger);

  const answers = [
    await uploadLogo(service, id, cookie, picture, { formToken: '' }),
    await uploadLogo(service, id, cookie, picture, { formToken: foreign }),
    await uploadLogo(service, id, cookie, picture, { headers: { 'sec-fetch-site': 'cross-site' } }),
    await postForm(service, `${logoPath(id)}/remove`, { form_token: foreign }, cookie),
  ];

  expect(foreign).not.toBe('');
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
  await expectUntouched();
});

/** A multipart body of the parts' raw texts. */
async function sendParts(parts: readonly string[], { end = '--x--\r\n', boundary = 'x' } = {}) {
  return service.app.inject({
    method: 'POST',
    url: logoPath(id),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'sec-fetch-site': 'same-origin',
      cookie,
    },
    payload: Buffer.from(parts.map((part) => `--x\r\n${part}\r\n`).join('') + end, 'latin1'),
  });
}

const field = (name: string, value: string, more = ''): string =>
  `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`;
const token = field('form_token', await formTokenOf(service, cookie));
const file = (name: string, fileName: string, content = picture.toString('latin1')): string =>
  `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: image/png\r\n\r\n${content}`;

test.each([
  ['two files', [token, file('logo', 'a.png'), file('second', 'b.png')], 400],
  ['the token twice', [token, token, file('logo', 'a.png')], 400],
  ['the picture twice', [token, file('logo', 'a.png'), file('logo', 'b.png')], 400],
  ['many fields', [token, ...['a', 'b', 'c', 'd', 'e'].map((name) => field(name, ''))], 400],
  ['the name of a built-in', [token, field('__proto__', 'x'), file('logo', 'a.png')], 400],
  ['the token as a file', [file('form_token', 'a.png')], 403],
  ['the picture as a text', [token, field('logo', picture.toString('latin1'))], 400],
  ['the picture under another name', [token, file('picture', 'a.png')], 400],
  ['an empty file', [token, file('logo', '', '')], 400],
  ['no file', [token], 400],
  ['no token', [file('logo', 'a.png')], 403],
] as const)('a form with %s is refused, and stores nothing (security C21)', async (_name, parts, status) => {
  const answer = await sendParts(parts);

  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  await expectUntouched();
});

test.each([
  ['that is cut off', [token, file('logo', 'a.png')], { end: '' }, 400],
  ['without its boundary', [token, file('logo', 'a.png')], { boundary: 'y' }, 400],
  ['of nothing', [], { end: '' }, 403],
  ['of the boundary alone', [], {}, 403],
] as const)(
  'a multipart body %s is refused, never with 500 (security C36)',
  async (_name, parts, options, status) => {
    const answer = await sendParts(parts, options);

    expect(answer.statusCode).toBe(status);
    await expectUntouched();
  },
);

test('a form without a file, of the usual kind, is told to choose one', async () => {
  const answer = await postOwnForm(service, logoPath(id), { logo: 'x' }, cookie);

  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain('Choose an image.');
  expect(titleOf(answer)).toBe('Hidden Desk');
  await expectUntouched();
});

test('no other page takes a multipart form', async () => {
  const form = new Response(new FormData());

  const answer = await service.app.inject({
    method: 'POST',
    url: '/settings/developer/oauth/new',
    headers: {
      'content-type': form.headers.get('content-type') ?? '',
      'sec-fetch-site': 'same-origin',
      cookie,
    },
    payload: await form.text(),
  });

  expect(answer.statusCode).toBe(415);
});
