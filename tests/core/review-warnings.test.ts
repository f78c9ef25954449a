import { describe, expect, test } from 'vitest';
import { describeEdit } from '../../src/oauth/clients/edits/change.ts';
import { collectPermissions, describePermissions } from '../../src/oauth/permissions.ts';
import { permissionWordsOf } from '../../src/oauth/review/detail.ts';
import { type Proposal, proposalOf, warningsOf } from '../../src/oauth/review/warnings.ts';
import { profileScopes } from '../../src/v2/me/routes.ts';

const permissions = collectPermissions([profileScopes], []);

const plain: Proposal = {
  id: 'a',
  ownerId: 1,
  type: 'confidential',
  name: 'Tidy Desk',
  purpose: 'It keeps desks tidy.',
  redirectUris: ['https://desk.example/callback'],
  websiteUrl: 'https://www.desk.example',
  scopes: ['PROFILE_READ'],
  postLogoutRedirectUris: [],
  requiresPkce: false,
  logoId: null,
};
const named = [
  { id: 'a', ownerId: 1, name: 'Tidy Desk' },
  { id: 'b', ownerId: 2, name: 'Clean Calendar' },
  { id: 'c', ownerId: 2, name: 'Other' },
];

const warn = (changes: Partial<Proposal>) =>
  warningsOf({ ...plain, ...changes }, named).map(({ kind, values }) => [kind, values]);
const redirects = (...redirectUris: string[]) => ({ redirectUris, websiteUrl: null });

test('a plain client gives no warning, its own accepted name and a subdomain among its reasons not to', () => {
  expect(warn({})).toEqual([]);
});

test.each([
  ['pretends_to_be_us', { name: 'Latchkey' }, ['Latchkey']],
  ['pretends_to_be_us', { name: 'ＬATCHKÉY Support' }, ['ＬATCHKÉY Support']],
  ['pretends_to_be_us', { name: 'Latch-Key\u00a0Official' }, ['Latch-Key\u00a0Official']],
  ['same_name', { name: 'clean calendar' }, ['Clean Calendar']],
  ['mixed_alphabets', { name: 'Tidy Dеsk' }, ['Dеsk']],
  ['mixed_alphabets', { name: 'Τidy Desk' }, ['Τidy']],
  ['unseen_characters', { name: 'Tidy\u200b Desk' }, ['U+200B']],
  ['numeric_host', redirects('https://192.0.2.4/cb'), ['192.0.2.4']],
  ['numeric_host', redirects('https://[2001:db8::1]/cb'), ['[2001:db8::1]']],
  [
    'numeric_host',
    { redirectUris: ['https://192.0.2.4/cb'], websiteUrl: 'https://192.0.2.4' },
    ['192.0.2.4'],
  ],
  ['encoded_host', redirects('https://xn--80ak6aa92e.com/cb'), ['аррӏе.com (xn--80ak6aa92e.com)']],
  ['encoded_host', redirects('https://xn--zzzzzzzzzzzz.com/cb'), ['xn--zzzzzzzzzzzz.com']],
  ['elsewhere', { redirectUris: ['https://desk.test/cb'] }, ['desk.test']],
  [
    'elsewhere',
    { websiteUrl: 'https://ann.github.io', redirectUris: ['https://bob.github.io/cb'] },
    ['bob.github.io'],
  ],
  ['confidential_on_loopback', redirects('http://localhost:3000/cb'), ['http://localhost:3000/cb']],
  ['full_access', { scopes: null }, []],
] as const)('%s: %j', (kind, changes, values) => {
  expect(warn(changes)).toEqual([[kind, values]]);
});

test.each([
  'Tidy Стол',
  'Чистый Стол',
  'カレンダー予定さん',
  'Tシャツ',
  'a1 β2',
  '👩‍👩‍👧 🗝️',
  'Clean Calendars',
])('the name %s gives no warning', (name) => {
  expect(warn({ name })).toEqual([]);
});

test('metadata documents have no owner in common: each is compared with all others', () => {
  const [id, other] = ['https://one.example/', 'https://two.example/'];
  const document = { ...plain, id, ownerId: null, name: 'Agent', ...redirects('https://one.example/cb') };
  const both = [id, other].map((one) => ({ id: one, ownerId: null, name: 'AGENT' }));

  expect(warningsOf(document, both).map(({ kind, values }) => [kind, values])).toEqual([
    ['same_name', ['AGENT']],
  ]);
});

test('private_scheme: of a public client, each scheme once', () => {
  const uris = ['com.example.app:/cb', 'com.example.app:/other'];

  expect(warn({ type: 'public', ...redirects(...uris) })).toEqual([['private_scheme', ['com.example.app:']]]);
});

describe('of a metadata document, which proves its own domain alone (contract §2)', () => {
  const id = 'https://agent.example/client.json';
  const document = { id, ownerId: null, type: 'public', name: 'Agent' } as const;

  test('outside_document: a website and a redirect URI of another domain, each once', () => {
    const named = { websiteUrl: 'https://desk.example', redirectUris: ['https://desk.example/callback'] };

    expect(warn({ ...document, ...named })).toEqual([['outside_document', ['desk.example']]]);
    expect(
      warn({
        ...document,
        websiteUrl: 'https://www.agent.example',
        redirectUris: ['https://agent.example/cb'],
      }),
    ).toEqual([]);
  });

  test('document_on_device: any program there can take its name', () => {
    expect(warn({ ...document, ...redirects('http://127.0.0.1/callback') })).toEqual([
      ['document_on_device', ['http://127.0.0.1/callback']],
    ]);
  });
});

test('short_scheme: a private-use scheme without a dot is nobody’s name (RFC 8252 §7.1)', () => {
  const uris = ['cursor://editor.tools/cb', 'com.example.app:/cb'];

  expect(warn({ type: 'public', ...redirects(...uris) })).toEqual([
    ['private_scheme', ['com.example.app:']],
    ['short_scheme', ['cursor:']],
  ]);
});

test.each([
  [
    'loopback of a public client',
    { type: 'public', redirectUris: ['http://127.0.0.1/cb', 'http://[::1]:1/cb'] },
  ],
  ['two subdomains of one domain', { redirectUris: ['https://a.desk.example/', 'https://b.desk.example/'] }],
  ['no website', redirects('https://anywhere.example/cb')],
  ['the usual port, written out', redirects('https://desk.example:443/cb')],
  ['a host that has xn-- inside a label', redirects('https://desk-xn--a.example/cb')],
] as const satisfies readonly (readonly [string, Partial<Proposal>])[])(
  'nothing odd: %s',
  (_name, changes) => {
    expect(warn(changes)).toEqual([]);
  },
);

test('everything odd is told in one order, each kind once, in whole sentences', () => {
  const warnings = warningsOf(
    {
      ...plain,
      name: 'Latchkey Wееk\u200b',
      redirectUris: [
        'https://192.0.2.4:1/',
        'https://192.0.2.4:1/b',
        'http://localhost/',
        'https://xn--80ak6aa92e.com/',
      ],
      websiteUrl: 'http://desk.example',
      scopes: null,
    },
    named,
  );

  expect(warnings.map(({ kind }) => kind)).toEqual([
    'pretends_to_be_us',
    'mixed_alphabets',
    'unseen_characters',
    'numeric_host',
    'encoded_host',
    'elsewhere',
    'confidential_on_loopback',
    'full_access',
  ]);
  for (const { text } of warnings) expect(text).toMatch(/^[A-Z].*\. ?.*\.$/);
});

const edit = { ...plain, name: 'New', websiteUrl: null };

test.each([
  ['no edit', null, plain],
  ['a rejected edit', { ...edit, status: 'rejected' }, plain],
  ['an edit that waits', { ...edit, status: 'pending' }, edit],
] as const)('what is judged with %s', (_name, submitted, judged) => {
  expect(proposalOf(plain, submitted)).toEqual(judged);
});

describe('before and after', () => {
  test('shows the values that differ, line by line, and no others', () => {
    const after = {
      ...plain,
      redirectUris: ['https://desk.example/callback', 'https://new.example/'],
      websiteUrl: null,
      scopes: null,
      requiresPkce: true,
    };

    expect(describeEdit(plain, after, permissionWordsOf(permissions))).toEqual([
      { field: 'Website', before: [{ text: 'https://www.desk.example', isChanged: true }], after: [] },
      {
        field: 'Redirect URIs',
        before: [{ text: 'https://desk.example/callback', isChanged: false }],
        after: [
          { text: 'https://desk.example/callback', isChanged: false },
          { text: 'https://new.example/', isChanged: true },
        ],
      },
      {
        field: 'Permissions',
        before: [{ text: profileScopes.read.words, isChanged: true }],
        after: ['Full access', ...describePermissions(permissions, null)].map((text) => ({
          text,
          isChanged: true,
        })),
      },
      {
        field: 'PKCE',
        before: [{ text: 'Optional', isChanged: true }],
        after: [{ text: 'Required', isChanged: true }],
      },
    ]);
    expect(describeEdit(plain, plain, permissionWordsOf(permissions))).toEqual([]);
  });

  test('shows another order of addresses as a change of all, because the first is the one that is looked up', () => {
    const [a, b] = ['https://a.example/', 'https://b.example/'];

    const [change] = describeEdit({ ...plain, redirectUris: [a, b] }, { ...plain, redirectUris: [b, a] });

    expect(change?.after).toEqual([
      { text: b, isChanged: true },
      { text: a, isChanged: true },
    ]);
  });
});
