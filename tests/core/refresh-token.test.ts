import { expect, test } from 'vitest';
import { issueCode } from '../../src/oauth/core/code.ts';
import { issueRefreshToken, readRefreshToken } from '../../src/oauth/core/refresh.ts';
import { mac, otherMac } from '../support/core-builders.ts';

const grantId = '0f8fad5b-d9cb-469f-a165-70867728950e';

test.each([1, 2, 1000, 2 ** 32 - 1])(
  'a refresh token round-trips to generation %d of its grant (architecture §2)',
  async (generation) => {
    const token = await issueRefreshToken({ grantId, generation }, mac);

    expect(await readRefreshToken(token, mac)).toEqual({ grantId, generation });
  },
);

test('a refresh token can be made again, character for character: that is what a retry gets (contract §4)', async () => {
  const made = await issueRefreshToken({ grantId, generation: 3 }, mac);

  expect(await issueRefreshToken({ grantId, generation: 3 }, mac)).toBe(made);
});

test('each generation and each grant has a refresh token of its own (architecture §2)', async () => {
  const otherGrantId = '0f8fad5b-d9cb-469f-a165-70867728950f';
  const tokens = await Promise.all([
    issueRefreshToken({ grantId, generation: 1 }, mac),
    issueRefreshToken({ grantId, generation: 2 }, mac),
    issueRefreshToken({ grantId: otherGrantId, generation: 1 }, mac),
  ]);

  expect(new Set(tokens).size).toBe(3);
});

test('there is no refresh token of generation 0: that is the code (architecture §2)', async () => {
  const token = await issueRefreshToken({ grantId, generation: 0 }, mac);

  expect(await readRefreshToken(token, mac)).toBeUndefined();
});

test('a code is not a refresh token, under either prefix (contract §4)', async () => {
  const code = await issueCode(grantId, mac);

  expect(await readRefreshToken(code, mac)).toBeUndefined();
  expect(await readRefreshToken(code.replace('lkc_', 'lkr_'), mac)).toBeUndefined();
});

test('a refresh token made under another root secret is not ours (contract §4)', async () => {
  const token = await issueRefreshToken({ grantId, generation: 1 }, otherMac);

  expect(await readRefreshToken(token, mac)).toBeUndefined();
});
