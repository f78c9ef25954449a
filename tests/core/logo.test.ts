import { expect, test } from 'vitest';
import { checkLogo, decideLogoChange, logoMaxSide, logoMinSide } from '../../src/oauth/core/logo.ts';

test.each([
  ['pending', undefined, { place: 'client', event: 'changed' }],
  ['rejected', undefined, { place: 'client', event: undefined }],
  ['rejected', 'rejected', { place: 'client', event: undefined }],
  ['accepted', undefined, { place: 'edit', event: 'edit_submitted' }],
  ['accepted', 'pending', { place: 'edit', event: 'edit_submitted' }],
  ['accepted', 'rejected', { place: 'edit', event: undefined }],
] as const)(
  'the new logo of a client that is %s, its edit %s: %j (contract §2)',
  (status, edit, expected) => {
    expect(decideLogoChange(status, edit)).toEqual(expected);
  },
);

const picture = { mediaType: 'image/png', width: 100, height: 100, isAnimated: false } as const;

test.each([
  ['the smallest', { width: logoMinSide, height: logoMinSide }, undefined],
  ['the largest', { width: logoMaxSide, height: logoMaxSide }, undefined],
  ['a wide one', { width: logoMaxSide, height: logoMinSide }, undefined],
  ['a narrow one', { width: logoMinSide - 1 }, 'too_few_pixels'],
  ['a flat one', { height: logoMinSide - 1 }, 'too_few_pixels'],
  ['a very wide one', { width: logoMaxSide + 1 }, 'too_many_pixels'],
  ['a very high one', { height: logoMaxSide + 1 }, 'too_many_pixels'],
  ['one that moves', { isAnimated: true }, 'animated'],
])('%s as a logo (contract §2)', (_name, changes, reason) => {
  const checked = checkLogo({ ...picture, ...changes });

  expect(checked.ok ? undefined : checked.reason).toBe(reason);
});
