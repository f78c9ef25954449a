import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { scopeNames } from '../support/scopes.ts';
import { sharedService } from '../support/service.ts';
import { issueTokens, refreshFields, refusalOf, usable, use } from '../support/tokens.ts';
import { addClient, refresh, requestToken } from '../support/world.ts';

const service = await sharedService();
const scoped = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_WRITE'] });
const unscoped = await addClient(service);

describe('scope (contract §4, §6)', () => {
  test('stands in the answer of a scoped grant alone, and in every token', { tags: 'parts' }, async () => {
    const [withScope, without] = [await issueTokens(service, scoped), await issueTokens(service, unscoped)];

    expect(withScope.scope).toBe('PROFILE_READ BOOKING_WRITE');
    expect(decodeJwt(withScope.access_token)['scope']).toBe('PROFILE_READ BOOKING_WRITE');
    expect(without).not.toHaveProperty('scope');
    expect(decodeJwt(without.access_token)['scope']).toBe(scopeNames.join(' '));
  });

  test.each([
    ['BOOKING_WRITE', 'BOOKING_WRITE'],
    ['BOOKING_READ', 'BOOKING_READ'],
    ['BOOKING_READ,PROFILE_READ', 'BOOKING_READ PROFILE_READ'],
    ['  PROFILE_READ   PROFILE_READ ', 'PROFILE_READ'],
    ['', 'PROFILE_READ BOOKING_WRITE'],
    ['openid offline_access', 'PROFILE_READ BOOKING_WRITE'],
    ['PROFILE_READ SCHEDULE_READ UNKNOWN', 'PROFILE_READ'],
  ])('%j at refresh narrows the access token (RFC 6749 §6)', { tags: 'parts' }, async (scope, narrowed) => {
    const tokens = await issueTokens(service, scoped);

    const answer = await requestToken(service, { ...refreshFields(scoped, tokens.refresh_token), scope });

    expect(answer.json()).toMatchObject({ scope: narrowed });
    expect(decodeJwt(answer.json().access_token)['scope']).toBe(narrowed);
  });

  test('may be asked for in full again after it was narrowed, as the refresh token keeps the grant (RFC 6749 §6)', {
    tags: 'parts',
  }, async () => {
    const tokens = await issueTokens(service, scoped);
    const narrowed = await requestToken(service, {
      ...refreshFields(scoped, tokens.refresh_token),
      scope: 'PROFILE_READ',
    });

    const full = await refresh(service, scoped, narrowed.json().refresh_token);

    expect(full.json()).toMatchObject({ scope: 'PROFILE_READ BOOKING_WRITE' });
  });

  test.each([
    'SCHEDULE_READ',
    'UNKNOWN',
    'profile_read',
    'PROFILE_READ\u00a0UNKNOWN',
    'openid SCHEDULE_READ UNKNOWN',
  ])('%j at refresh never widens, and spends nothing (RFC 6749 §6, security C10)', async (scope) => {
    const tokens = await issueTokens(service, scoped);

    const answer = await requestToken(service, { ...refreshFields(scoped, tokens.refresh_token), scope });

    expect(refusalOf(answer)).toEqual([400, 'invalid_scope', expect.any(String)]);
    expect(await use(service, scoped, tokens)).toEqual(usable);
  });

  test('narrowed at the authorization page is not regained at refresh (contract §6)', async () => {
    const tokens = await issueTokens(service, scoped, { scope: 'PROFILE_READ' });

    const answer = await requestToken(service, {
      ...refreshFields(scoped, tokens.refresh_token),
      scope: 'BOOKING_READ',
    });

    expect(tokens.scope).toBe('PROFILE_READ');
    expect(refusalOf(answer)).toEqual([400, 'invalid_scope', expect.any(String)]);
  });
});
