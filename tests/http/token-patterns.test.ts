import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { openOwned } from '../support/secrets.ts';
import { sharedService } from '../support/service.ts';
import { issueCode } from '../support/tokens.ts';
import { addClient, requestToken, type Tokens } from '../support/world.ts';

const service = await sharedService();

test('the patterns for scanners find what we issue, and nothing else (docs/oauth-guide.md, security C79)', async () => {
  const guide = await readFile(join(packageFolder, 'docs/oauth-guide.md'), 'utf8');
  const patterns = new Map(
    [...guide.matchAll(/^\| ([a-z ]+) \| `([^`]+)` \|$/gm)].map(([, kind, text]) => [kind, text]),
  );
  const owned = await openOwned(service);
  const client = await addClient(service);
  const request = await issueCode(service, client);
  const tokens = (await requestToken(service, request)).json<Tokens>();
  const issued = new Map([
    ['authorization code', request['code']],
    ['refresh token', tokens.refresh_token],
    ['client secret', owned.secret],
    ['access token', tokens.access_token],
  ]);

  expect([...patterns.keys()].toSorted()).toEqual([...issued.keys()].toSorted());
  for (const [kind, text] of patterns) {
    const found = [...issued].filter(([, value]) => new RegExp(text ?? '').test(`TOKEN="${value}"`));
    expect(found.map(([name]) => name)).toEqual([kind]);
    expect(new RegExp(text ?? '').exec(`TOKEN="${issued.get(kind ?? '')}"`)?.[0]).toBe(
      issued.get(kind ?? ''),
    );
  }
});
