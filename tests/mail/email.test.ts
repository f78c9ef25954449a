import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { deliverDue } from '../../src/platform/mail/delivery.ts';
import { type Email, openEmail, renderEmail } from '../../src/platform/mail/email.ts';
import { nodeRuntime } from '../../src/platform/runtime.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { openMailroom, useMailServer } from './mailroom.ts';

const { deliverer, logText, post, read } = await openMailroom();
const secret = 'a-root-secret-for-tests-only-0123456789abcdef';
const rootSecret = createSecrets([secret]);
const config = readConfig({ APP_URL: 'http://localhost:3000' });
const deps = { config, runtime: nodeRuntime, secrets: rootSecret };

const sentAt = new Date('2030-01-01T12:00:00Z');
const privateAddress = 'https://cal.example/reset/canary-token?a=1&b="2"';
const letter: Email = {
  subject: 'Set a new password',
  text: ['Hello Ann', 'Somebody asked.'],
  quote: 'First line\nsecond <b>line</b>',
  facts: [
    ['When', 'today'],
    ['Where', 'here & there'],
  ],
  button: { words: 'Set a new password', address: privateAddress, isPrivate: true },
  advice: ['It works once.'],
  links: [{ words: 'Open the settings', address: 'https://cal.example/settings?a=1&b=2' }],
};

test('an email as text says what its card says, in the same order', () => {
  const { text } = openEmail(renderEmail(letter, 'ann@example.com', deps), rootSecret, sentAt);

  expect(text).toBe(`Set a new password

Hello Ann

Somebody asked.

First line
second <b>line</b>

When: today
Where: here & there

Set a new password:
${privateAddress}

It works once.

Open the settings:
https://cal.example/settings?a=1&b=2

--${' '}
You get this email because of your Latchkey account. If you didn’t expect it, sign in and look at your settings.
Latchkey
`);
});

test('a card has one heading and one button, with its whole address below it', () => {
  const address = 'https://cal.example/settings/apps?a=1';
  const one = { ...letter, heading: 'Look here', button: { words: 'View apps', address }, links: [] };

  const { html } = renderEmail(one, 'ann@example.com', deps);

  expect(html.match(/<h1[^>]*>([^<]*)<\/h1>/g)).toEqual([expect.stringContaining('>Look here<')]);
  expect([...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)</g)].map(([, ...one]) => one)).toEqual([
    [address, 'View apps'],
    [address, address],
  ]);
});

test('a card follows dark mode, and its styles are inline where mail programs drop others', () => {
  const { html } = renderEmail(letter, 'ann@example.com', deps);

  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('@media (prefers-color-scheme: dark)');
  const classes = new Set(
    [...html.matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' ')),
  );
  for (const name of classes) expect(html).toMatch(new RegExp(`\\.${name} \\{`));
  for (const [tag] of html.matchAll(/<[a-z0-9]+ [^>]*class="[^>]*>/g)) expect(tag).toContain('style="');
});

test('what a fact is about stands in one line, in HTML too', () => {
  const { html } = openEmail(renderEmail(letter, 'ann@example.com', deps), rootSecret, sentAt);

  expect(html).toMatch(/<th [^>]*style="[^"]*white-space:nowrap;">When<\/th>/);
});

test('no line of a value in the text looks like another fact', () => {
  for (const end of ['\n', '\r', '\r\n', '\v', '\u0085', '\u2028']) {
    const facts = [['Notes', `tea${end}When: never`]] as const;
    const one = { subject: `x${end}y`, text: [], facts };

    const { text, subject } = renderEmail(one, 'ann@example.com', deps);

    expect(text).toContain('Notes: tea\n    When: never\n');
    expect(subject).toBe('x y');
  }
});

test('a letter is written as HTML in which nothing that people typed is markup', () => {
  const { html } = openEmail(renderEmail(letter, 'ann@example.com', deps), rootSecret, sentAt);

  expect(html).toContain('second &lt;b&gt;line&lt;/b&gt;');
  expect(html).toContain('>here &amp; there</bdi></td>');
  expect(html).toContain('href="https://cal.example/settings?a=1&amp;b=2"');
  expect(html).toContain('href="https://cal.example/reset/canary-token?a=1&amp;b=&quot;2&quot;"');
});

test('HTML says at its end why one gets it: because of an account, or whatever the letter says', () => {
  const footerOf = (one: Email) =>
    /<td[^>]*>([^<]*)<\/td><\/tr>\s*<\/table>\s*<!--/.exec(
      renderEmail(one, 'ann@example.com', deps).html,
    )?.[1];

  expect(footerOf(letter)).toMatch(/^You get this email because of your Latchkey account\./);
  expect(footerOf({ ...letter, footer: 'Somebody <b> asked.' })).toBe('Somebody &lt;b&gt; asked.');
});

test('HTML asks no other place for anything (security C19)', () => {
  const { html } = renderEmail(letter, 'ann@example.com', deps);

  expect(html).not.toMatch(/\ssrc=|url\(|<link|<script|@import/);
});

test('a private link stands in no part of a written letter that can be read', () => {
  const written = renderEmail(letter, 'ann@example.com', deps);

  const readable = `${written.text}${written.html}${Buffer.from(written.encryptedLink ?? []).toString('latin1')}`;
  expect(readable).not.toContain('canary-token');
  expect(written.text).toMatch(/Set a new password:\n\(a link that only the recipient sees, [0-9a-f]{16}\)/);
});

test('a private link can be opened after a change of SECRET, and not when the old one is gone (contract §1)', () => {
  const written = renderEmail(letter, 'ann@example.com', deps);
  const newer = 'another-root-secret-for-tests-0123456789abcdef';

  expect(openEmail(written, createSecrets([newer, secret]), sentAt).text).toContain(privateAddress);
  expect(() => openEmail(written, createSecrets([newer]), sentAt)).toThrow('encrypted under another SECRET');
});

test('what stands in a name cannot add a line to the subject (RFC 5322 §2.2)', () => {
  const { subject } = renderEmail(
    { subject: 'To review: A\r\nBcc: b@example.com', text: [] },
    'a@example.com',
    deps,
  );

  expect(subject).toBe('To review: A Bcc: b@example.com');
});

test('the recipient gets the private link in both forms of the mail', async () => {
  const server = await useMailServer();
  await post(renderEmail(letter, 'ann@example.com', deps));

  await deliverDue(deliverer(server));

  const [mail] = server.received;
  expect(mail?.email.text).toContain(privateAddress);
  expect(mail?.email.html).toContain('canary-token');
  expect(logText()).not.toContain('canary');
});

test('without SMTP_URL the log gets the text without the private link', async () => {
  await post(renderEmail(letter, 'ann@example.com', deps));

  await deliverDue(deliverer());

  expect(logText()).toContain('(a link that only the recipient sees,');
  expect(logText()).not.toContain('canary');
});

test('a letter whose SECRET is gone waits, and says why', async () => {
  const server = await useMailServer();
  const { id } = await post(renderEmail(letter, 'ann@example.com', deps));
  const stranger = createSecrets(['another-root-secret-for-tests-0123456789abcdef']);

  await deliverDue({ ...deliverer(server), secrets: stranger });

  expect(server.received).toEqual([]);
  expect(await read(id)).toMatchObject({ sentAt: null, lastFailure: 'LinkUnreadable' });
});

test('nobody can pull the private link into an address of their own, whatever they have written before (security C33)', () => {
  const former = renderEmail(letter, 'ann@example.com', deps);
  const [mark = ''] = /\(a link that only the recipient sees, [0-9a-f]+\)/.exec(former.text) ?? [];
  const hostile = `https://evil.example/?${mark}(a link that only the recipient sees)`;

  const { text, html } = openEmail(
    renderEmail({ ...letter, text: [hostile, ...letter.text] }, 'b@example.com', deps),
    rootSecret,
    sentAt,
  );

  expect(text.split('canary-token')).toHaveLength(2);
  // In the button, the address below it and its link.
  expect(html.split('canary-token')).toHaveLength(4);
  expect(text.indexOf('canary-token')).toBeGreaterThan(text.indexOf('Hello Ann'));
});
