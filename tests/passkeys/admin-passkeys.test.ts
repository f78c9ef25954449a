import { expect, test } from 'vitest';
import { openTestService } from '../support/service.ts';

test('where passkeys are off, ADMIN_PASSKEYS=required stops the start and says why (contract §1)', async () => {
  await expect(openTestService({ PARTS: '-passkeys', ADMIN_PASSKEYS: 'required' })).rejects.toThrow(
    'ADMIN_PASSKEYS is required, but passkeys are off. Add passkeys to PARTS, or set ADMIN_PASSKEYS to off.',
  );
});

test.each([
  { PARTS: 'all', ADMIN_PASSKEYS: 'required' },
  { PARTS: '-passkeys', ADMIN_PASSKEYS: 'off' },
])('PARTS=$PARTS starts with ADMIN_PASSKEYS=$ADMIN_PASSKEYS (security C250)', async (settings) => {
  const { app } = await openTestService(settings);

  expect((await app.inject('/signin')).statusCode).toBe(200);
});
