import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { sessions } from '../../src/accounts/tables.ts';
import { networkOf } from '../../src/platform/networks.ts';
import { fromAddress, guess, signInFrom, useUp } from '../support/guesser.ts';
import { addressesOn, isOwnAddress } from '../support/page-content.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { addUser } from '../support/world.ts';

const service = await openTestService();
const proxied = await openAnotherInstance(service, { TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' });

/** The address that a sign-in is told to come from. */
async function addressSeenBy(instance: TestService, remoteAddress: string, forwardedFor?: string) {
  const user = await addUser(service);
  const headers: Record<string, string> =
    forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const answer = await signInFrom(instance, user, { remoteAddress, headers });
  const [session] = await service.database.db.select().from(sessions).where(eq(sessions.userId, user.id));
  expect(answer.statusCode).toBe(303);
  return session?.address;
}

describe('without TRUSTED_PROXIES', () => {
  test.each(['198.51.100.7', '2001:db8::7'])(
    'X-Forwarded-For changes nothing (security C40): %s',
    async (claimed) => {
      expect(await addressSeenBy(service, '10.1.1.1', claimed)).toBe('10.1.1.1');
    },
  );

  test('X-Forwarded-For gives a guesser no other limit (security C40)', async () => {
    await useUp(service, fromAddress('guesses_of_network', '10.99.0.1'), 1);
    const statuses: number[] = [];
    for (let index = 0; index < 2; index += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${index}` };
      const nobody = { email: `forwarded-${index}@example.com` };
      statuses.push(...(await guess(service, nobody, 1, { remoteAddress: '10.99.0.1', headers })));
    }

    expect(statuses).toEqual([401, 429]);
  });
});

test('a proxy that TRUSTED_PROXIES does not name is told to the operator, once', async () => {
  const [unnamed, named] = [
    await openAnotherInstance(service),
    await openAnotherInstance(service, { TRUSTED_PROXIES: '10.1.1.1' }),
  ];
  const warnings = (instance: TestService): number => instance.logText().split('TRUSTED_PROXIES').length - 1;
  await unnamed.app.inject('/signin');
  const before = warnings(unnamed);

  for (const instance of [unnamed, named, unnamed])
    await instance.app.inject({ url: '/signin', headers: { 'x-forwarded-for': '198.51.100.7' } });

  expect([before, warnings(unnamed), warnings(named)]).toEqual([0, 1, 0]);
  expect(unnamed.logText()).not.toContain('198.51.100.7');
});

describe('with TRUSTED_PROXIES', () => {
  test.each([
    ['a proxy', '10.1.1.1', '198.51.100.7', '198.51.100.7'],
    ['a chain of proxies', '10.1.1.1', '198.51.100.7, 10.2.2.2', '198.51.100.7'],
    ['a proxy, after what the client claimed', '10.1.1.1', '6.6.6.6, 198.51.100.7', '198.51.100.7'],
    ['a proxy of IPv6', 'fd00::1', '2001:DB8:0::7', '2001:db8::7'],
    ['a proxy that listens on both', '::ffff:10.1.1.1', '::ffff:198.51.100.7', '198.51.100.7'],
    ['a proxy that says nothing', '10.1.1.1', undefined, '10.1.1.1'],
    ['a proxy that passes on nonsense', '10.1.1.1', '<script>', '10.1.1.1'],
    ['a proxy that passes on nothing', '10.1.1.1', ' , ', '10.1.1.1'],
    ['another user', '203.0.113.5', '198.51.100.7', '203.0.113.5'],
  ])('the client’s address behind %s', async (_name, peer, forwardedFor, expected) => {
    expect(await addressSeenBy(proxied, peer, forwardedFor)).toBe(expected);
  });

  test('each client behind a proxy has a limit of its own', async () => {
    const from = (client: string) => ({ remoteAddress: '10.1.1.1', headers: { 'x-forwarded-for': client } });
    await useUp(service, fromAddress('guesses_of_network', '198.51.100.8'), 1);
    await guess(proxied, { email: 'behind@example.com' }, 1, from('198.51.100.8'));
    const user = await addUser(service);

    expect((await signInFrom(proxied, user, from('198.51.100.8'))).statusCode).toBe(429);
    expect((await signInFrom(proxied, user, from('198.51.100.9'))).statusCode).toBe(303);
  });

  test('what a trusted proxy says of host and scheme changes nothing all the same (security C40)', async () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '444',
    };
    const remoteAddress = '10.1.1.1';

    const metadata = await proxied.app.inject({
      url: '/.well-known/oauth-authorization-server',
      headers,
      remoteAddress,
    });
    const page = await proxied.app.inject({ url: '/signin', headers, remoteAddress });
    const redirect = await proxied.app.inject({ url: '/settings/sessions', headers, remoteAddress });
    const signedIn = await signInFrom(proxied, await addUser(service), { remoteAddress, headers });

    expect(metadata.json()).toMatchObject({ issuer: proxied.appUrl });
    expect(addressesOn(page.body).filter((address) => !isOwnAddress(address))).toEqual([]);
    expect(redirect.headers.location).toBe('/signin?return_to=%2Fsettings%2Fsessions');
    expect(signedIn.headers.location).toBe('/signin/continue');
    expect(signedIn.cookies.map(({ name, secure }) => [name, secure])).toEqual([
      ['latchkey_session', undefined],
      ['latchkey_device', undefined],
    ]);
  });
});

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8:1:2::', '2001:db8:1:2::'],
  ['::1', '::'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
