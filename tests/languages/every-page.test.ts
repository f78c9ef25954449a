import { expect, test } from 'vitest';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { listPages } from '../whole/every-page.ts';
import { speakPseudo } from './pseudo-language.ts';

const service = await openTestService();
const secure = await openAnotherInstance(service, { APP_URL: 'https://latchkey.example' });

/** Values that no language changes: names, addresses, and what the tests call things. */
const values =
  /\S+@\S+|\S*\.example\S*|https?:\S+|Latchkey|Google|Outlook|\bTalk\b|Europe\/Berlin|A first talk|CalDAV calendars|Personal|Friends of the Botanical Garden[\w ]*|Test (?:app|organization|passkey|team|user)\S*|\b(?:PM|AM|UTC|GMT\S*)\b/g;

/** Returns the English that stands on a page beside the pseudo-language. */
function englishOn(html: string): readonly string[] {
  const body = html
    .slice(html.indexOf('<title>'))
    .replaceAll(/<(script|style|svg|bdi|code|time|datalist)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<option\b[^>]* lang=.*?<\/option>/g, ' ')
    .replaceAll(/<span class="app-mark[^>]*>.*?<\/span>/gs, ' ');
  const attributes = [...body.matchAll(/ (?:aria-label|placeholder|alt|title)="([^"]*)"/g)].map(
    ([, text = '']) => text,
  );
  const texts = body.replaceAll(/<[^>]*>/g, '\n').split('\n');
  // A sentence may begin and end around markup.
  const joined = [...attributes, texts.join(' ')].map((text) => text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' '));
  return joined
    .flatMap((text) =>
      text
        .replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
        .replaceAll(/&\w+;|&#\d+;/g, ' ')
        .replaceAll(values, ' ')
        .split(/\s{2,}/),
    )
    .filter((text) => /[A-Za-z]{2,}/.test(text));
}

test('every page of translated scopes has no sentence that stays English (contract §1)', async () => {
  const pages = await listPages(secure);
  speakPseudo();
  const translated = new Map<string, string>();
  for (const { name, show } of pages) {
    const { body } = await show();
    if (body.includes('<html lang="el"')) translated.set(name, body);
  }

  expect(englishOn('<title>Sign in</title><p>⟦Šíğñ⟧ now')).not.toEqual([]);
  expect(translated.size).toBeGreaterThan(30);
  const left = [...translated].flatMap(([name, body]) => englishOn(body).map((text) => `${name}: ${text}`));
  expect(left).toEqual([]);
});
