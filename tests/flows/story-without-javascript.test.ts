import { test } from 'vitest';
import { tellStory } from '../support/story.ts';

test('a developer registers a confidential client, an admin accepts it, a person allows it, it calls /v2/me and refreshes, without JavaScript (contract §2 to §5)', async () => {
  await tellStory('confidential', false);
});
