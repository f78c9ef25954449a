import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Email, renderEmail } from '../../src/platform/mail/email.ts';
import { nodeRuntime } from '../../src/platform/runtime.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { wordsIn } from './pseudo-language.ts';

const deps = {
  config: readConfig({ APP_URL: 'http://localhost:3000' }),
  runtime: nodeRuntime,
  secrets: createSecrets(['a-root-secret-for-tests-only-0123456789abcdef']),
};

const letter: Email = {
  subject: 'مرحبًا',
  text: ['مرحبًا'],
  facts: [['مع', 'Ann']],
  button: { words: 'فتح', address: 'https://cal.example/' },
};

test('an email says its language and direction, and its frame is in it (contract §1)', async () => {
  const email = renderEmail({ ...letter, words: await wordsIn('ar') }, 'ann@example.com', deps);

  expect(email.html).toContain('<html lang="ar" dir="rtl">');
  expect(email.html).toContain('scope="row" align="right"');
  // A name keeps its own direction without leaving the side of its row.
  expect(email.html).toContain('<bdi>Ann</bdi></td>');
  expect(email.html).not.toContain('dir="auto"');
  expect(email.html).toContain('أو افتح <a');
  expect(email.text).toContain('تصلك هذه الرسالة بسبب حسابك في Latchkey.');
});
