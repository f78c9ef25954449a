import { describe, expect, test } from 'vitest';
import { decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { addressesOn, isOwnAddress } from '../support/page-content.ts';
import {
  developerHome,
  formTokenOf,
  mailTo,
  newRegistrationKey,
  registration,
  reviewHome,
} from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addClient, addUser, authorizePath, startSession } from '../support/world.ts';

const service = await sharedService();
const admin = await addUser(service, { isAdmin: true });
const cookie = await startSession(service, admin);
const client = await addClient(service);

const spoofs = [
  ['Host', { host: 'evil.example' }],
  ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '444' }],
  ['X-Forwarded-Proto', { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }],
  ['Forwarded', { forwarded: 'host=evil.example;proto=https;for=203.0.113.9' }],
  ['X-Original-URL', { 'x-original-url': '/settings/admin/oauth', 'x-rewrite-url': '/settings/admin/oauth' }],
] as const;

describe.each(spoofs)('a spoofed %s', (_name, headers) => {
  const form = { ...headers, cookie, 'content-type': 'application/x-www-form-urlencoded' };

  test('does not move pages, redirects or cookies (security C40)', async () => {
    const plain = await service.app.inject('/signin');
    const page = await service.app.inject({ url: '/signin', headers });
    const redirect = await service.app.inject({ url: developerHome, headers });
    const signedIn = await service.app.inject({
      method: 'POST',
      url: '/signin',
      headers: { ...form, cookie: '' },
      payload: new URLSearchParams({ email: admin.email, password: admin.password }).toString(),
    });

    expect(page.body).toBe(plain.body);
    expect(addressesOn(page.body).filter((address) => !isOwnAddress(address))).toEqual([]);
    expect(redirect.headers.location).toBe(`/signin?return_to=${encodeURIComponent(developerHome)}`);
    expect(signedIn.headers['set-cookie']).toEqual([
      expect.stringMatching(/^latchkey_session=[^;]*; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^latchkey_device=[^;]*; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('does not move the issuer (security C15, C40)', async () => {
    const decision = await openDecision(service, requestOf(client), cookie);

    const metadata = await service.app.inject({ url: '/.well-known/oauth-authorization-server', headers });
    const answer = await service.app.inject({
      method: 'POST',
      url: authorizePath,
      headers: form,
      payload: new URLSearchParams({ ...decision, action: 'deny' }).toString(),
    });
    const allowed = await decide(service, decision, 'allow', cookie);

    expect(metadata.json()).toMatchObject({ issuer: service.appUrl });
    for (const redirect of [answer, allowed])
      expect(redirectOf(redirect).parameters.at(-1)).toEqual(['iss', service.appUrl]);
  });

  test('does not move the links in mails (security C40)', async () => {
    const name = `Desk ${Object.keys(headers).join(' ')}`;
    const fields = {
      form_token: await formTokenOf(service, cookie),
      registration_key: newRegistrationKey(),
      ...registration,
      name,
    };

    await service.app.inject({
      method: 'POST',
      url: `${developerHome}/new`,
      headers: form,
      payload: new URLSearchParams(fields).toString(),
    });

    const mail = (await mailTo(service, admin.email)).find(({ subject }) => subject.endsWith(name));
    expect(mail?.text).toContain(`${service.appUrl}${reviewHome}`);
    expect(mail?.text).not.toContain('evil.example');
  });
});
