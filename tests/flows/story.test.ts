import { test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { openTestSite } from '../support/site.ts';
import { tellStory } from './story.ts';

const service = await openTestSite();
const browser = await openBrowser();

test('a developer registers a public client, an admin accepts it, a person allows it, it calls /v2/me and refreshes, with JavaScript (contract §2 to §5)', async () => {
  await tellStory(service, browser, 'public', true);
});
