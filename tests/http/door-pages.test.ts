import { expect, test } from 'vitest';
import { addGroup, addPerson, openAs } from '../support/groups.ts';
import { addressesOn, textOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService({ PARTS: 'door' });

test('no link of the door alone leads nowhere, and no page names addresses that only a part serves (contract §1, PARTS)', async () => {
  const { user, cookie } = await addPerson(service);
  await addGroup(service, 'team', user);
  await addGroup(service, 'organization', user);
  const waiting = ['/', '/settings', '/settings/teams/new', '/settings/organization/new'];
  const seen = new Set(waiting);
  const wrong: string[] = [];
  for (const path of waiting) {
    const { statusCode, headers, body } = await openAs(service, path, cookie);
    // Forms are sent by POST to some of these addresses.
    if (statusCode >= 400 && statusCode !== 405) wrong.push(`${path} answers ${statusCode}`);
    if (!`${headers['content-type']}`.startsWith('text/html')) continue;
    if (/public page|\/team\/|book(?:ing|ed)/i.test(textOf(body))) wrong.push(`${path}: ${textOf(body)}`);
    for (const address of addressesOn(body)) {
      const { origin, pathname, search } = new URL(address, `${service.appUrl}${path}`);
      const next = `${pathname}${search}`;
      if (origin !== service.appUrl || seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }

  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(30);
});

test.each([
  '/openapi.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
])('%s of the door alone says nothing of what other parts serve (contract §1, PARTS)', async (path) => {
  const { statusCode, body } = await service.app.inject(path);
  const said = body.match(
    /[^"]*(?:scheduling|booking|webhook|event type|id_token|OpenID Connect|userinfo|personal token|managed user)[^"]*/gi,
  );

  expect([statusCode, said]).toEqual([200, null]);
});
