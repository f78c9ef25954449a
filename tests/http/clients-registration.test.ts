import { describe, expect, test } from 'vitest';
import { faultOf, fieldsIn, textOf, typedIn } from '../support/page-content.ts';
import {
  clientsOf,
  developerHome,
  findClientRow,
  formTokenOf,
  newRegistrationKey,
  postOwnForm,
  register,
  registeredId,
  registration,
  secretsOf,
} from '../support/registration.ts';
import { scopeNames } from '../support/scopes.ts';
import { sharedService } from '../support/service.ts';
import { addClient, addUser, openAuthorizePage, startSession } from '../support/world.ts';

const service = await sharedService();
const owner = await addUser(service);
const cookie = await startSession(service, owner);

async function open(path: string, as = cookie) {
  return service.app.inject({ url: path, headers: { cookie: as } });
}

test('a new client is pending, and its page shows what was registered (contract §2)', async () => {
  const answer = await register(service, cookie, {
    website_url: 'https://desk.example',
    redirect_uris: ' https://desk.example/a \r\n\r\nhttp://localhost:3000/b\nhttps://desk.example/a',
    purpose: ' Line one\r\nLine two ',
  });

  const id = registeredId(answer);
  const row = await findClientRow(service, id);
  const page = await open(`${developerHome}/${id}`);
  expect(answer.statusCode).toBe(303);
  expect(row).toMatchObject({
    ownerId: owner.id,
    name: 'Tidy Desk',
    purpose: 'Line one\nLine two',
    type: 'confidential',
    redirectUris: ['https://desk.example/a', 'http://localhost:3000/b'],
    websiteUrl: 'https://desk.example',
    scopes: null,
    status: 'pending',
    reviewerId: null,
  });
  for (const words of [id, 'Tidy Desk', 'In review', 'http://localhost:3000/b', 'Full access', 'Line one'])
    expect(textOf(page.body)).toContain(words);
});

describe('the type of an app', () => {
  test('is a server’s at first, which requires PKCE and asks for nothing yet', async () => {
    const { body } = await open(`${developerHome}/new`);
    const checked = body.matchAll(
      /<input type="(?:radio|checkbox)" name="(\w+)" value="([^"]+)"[^>]* checked/g,
    );

    expect([...checked].map(([, name, value]) => `${name}=${value}`)).toEqual([
      ...['client_type=confidential', 'access=chosen', 'requires_pkce=yes'],
    ]);
  });

  test('of an app that only signs in asks for that alone, whatever else is sent (contract §2)', {
    tags: 'parts',
  }, async () => {
    const asked = { client_type: 'sign-in', scopes: 'BOOKING_WRITE', access: 'full' };
    const id = registeredId(await register(service, cookie, asked));
    const faulty = await register(service, cookie, { ...asked, name: '' });

    expect(await findClientRow(service, id)).toMatchObject({
      type: 'confidential',
      scopes: ['openid', 'profile', 'email'],
    });
    expect(faulty.body).toMatch(/value="sign-in"[^>]* checked/);
    expect(faulty.body).not.toMatch(/value="BOOKING_WRITE"[^>]* checked/);
  });
});

describe('what most apps don’t need is folded', { tags: 'parts' }, () => {
  function openFolds({ body }: Awaited<ReturnType<typeof open>>) {
    const [, form = ''] = /<form class="card"(.*?)<\/form>/s.exec(body) ?? [];
    const folds = [...form.matchAll(/<details(?: class="\w+")?( open)?>\s*<summary>([^<]*)/g)];
    return folds.flatMap(([, isOpen, words]) => (isOpen === undefined ? [] : [words]));
  }

  test.each([
    ['nothing of a new form', {}, []],
    ['PKCE that is off', { requires_pkce: '' }, ['PKCE']],
    ['scopes that are selected', { scopes: 'openid' }, ['Sign in']],
    ['a faulty address', { post_logout_redirect_uris: 'x' }, ['Sign-out URIs (optional)']],
    ['a row that is added', { add: 'post_logout_redirect_uris' }, ['Sign-out URIs (optional)']],
  ])('but for %s', async (_name, changes, opened) => {
    const answer = await register(service, cookie, { name: '', requires_pkce: 'yes', ...changes });

    expect(openFolds(answer)).toEqual(opened);
  });
});

test('the focus is at the fault that comes first on the page (WCAG 4.1.3)', async () => {
  const answer = await register(service, cookie, { purpose: '', redirect_uris: 'x' });

  expect(answer.body).toMatch(/<input id="redirect_uris"[^>]* autofocus/);
});

describe('PKCE (RFC 9700 §2.1.1, contract §2)', () => {
  test.each([
    ['a confidential client that leaves the switch alone', {}, false],
    ['a confidential client that turns it on', { requires_pkce: 'yes' }, true],
    ['a public client, which has no choice', { client_type: 'public', requires_pkce: 'yes' }, false],
  ])('%s', async (_name, changes, requiresPkce) => {
    const id = registeredId(await register(service, cookie, changes));

    const page = await open(`${developerHome}/${id}`);
    expect(await findClientRow(service, id)).toMatchObject({ requiresPkce });
    expect(textOf(page.body).includes('requires PKCE')).toBe(requiresPkce);
  });

  test('stays as it was chosen in a form that has faults', async () => {
    const answer = await register(service, cookie, { name: '', requires_pkce: 'yes' });

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(/name="requires_pkce"[^>]* checked/);
  });
});

describe('scopes (contract §6)', () => {
  test('are none, to read or to write, by area, and full access is a choice of its own', {
    tags: 'parts',
  }, async () => {
    const { body } = await service.app.inject({ url: `${developerHome}/new`, headers: { cookie } });

    for (const scope of scopeNames)
      expect(body).toContain(`name="scopes_${scope.replace('WRITE', 'READ')}" value="${scope}"`);
    expect(textOf(body)).toMatch(/Bookings\s+None\s+Read\s+Write\s+See your bookings/);
    expect(textOf(body)).toContain('Full access: all scopes of the API, without those of “Sign in”.');
  });

  test('full access is registered where it is chosen, and never by an empty choice (security C303)', async () => {
    const id = registeredId(await register(service, cookie, { access: 'full' }));
    const answers = [
      await register(service, cookie, { access: 'chosen' }),
      await register(service, cookie, { access: '' }),
    ];

    expect(await findClientRow(service, id)).toMatchObject({ scopes: null });
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400]);
    expect(textOf(answers[0]?.body ?? '')).toContain('Select at least one scope, or choose full access.');
  });

  test('profile and email take openid, as nobody could read them (OpenID Connect Core, section 5.4)', {
    tags: 'parts',
  }, async () => {
    const form = { registration_key: newRegistrationKey(), ...registration, access: 'chosen' };
    const fields = new URLSearchParams(form).toString();
    const token = await formTokenOf(service, cookie);

    const answer = await service.app.inject({
      method: 'POST',
      url: `${developerHome}/new`,
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${fields}&scopes=PROFILE_READ&scopes=email&form_token=${token}`,
    });

    expect(answer.statusCode).toBe(400);
    expect(textOf(answer.body)).toContain('Select openid, too');
  });

  test('an unknown one is refused', async () => {
    const answer = await register(service, cookie, { scopes: 'EVERYTHING' });

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'scopes')).toBe('Choose from the list.');
  });
});

test.each([
  ['name', 'x'.repeat(80), 303],
  ['name', 'x'.repeat(81), 'Use at most 80 characters.'],
  ['name', '   ', 'Enter a name.'],
  ['name', 'Tidy\nDesk', 'Line breaks and control characters aren’t allowed.'],
  ['purpose', 'x'.repeat(500), 303],
  ['purpose', 'x'.repeat(501), 'Use at most 500 characters.'],
  ['purpose', ' \r\n ', 'Enter a purpose.'],
  ['purpose', 'bell\u0007', 'Control characters aren’t allowed.'],
  ['client_type', 'trusted', 'Choose a type.'],
  ['website_url', '', 303],
  ['website_url', 'https://desk.example/about?x=1', 303],
  ['website_url', 'http://desk.example', 303],
  ['website_url', 'javascript:alert(1)', 'Enter a web address such as https://app.example.'],
  ['website_url', 'data:text/html,x', 'Enter a web address such as https://app.example.'],
  ['website_url', 'desk.example', 'Enter a web address such as https://app.example.'],
  ['website_url', '//desk.example', 'Enter a web address such as https://app.example.'],
  ['website_url', 'https://paypal.example@desk.example', 'Enter a web address such as https://app.example.'],
  ['website_url', 'https://dеsk.example', 'Enter a web address such as https://app.example.'],
  ['website_url', `https://desk.example/${'x'.repeat(480)}`, 'Use 500 characters at most.'],
] as const)('%s %j (contract §2): %s', async (field, value, expected) => {
  const developer = await addUser(service);

  const answer = await register(service, await startSession(service, developer), { [field]: value });

  const isAccepted = expected === 303;
  expect(answer.statusCode).toBe(isAccepted ? 303 : 400);
  expect(faultOf(answer, field)).toBe(isAccepted ? undefined : expected);
  expect(await clientsOf(service, developer.id)).toHaveLength(isAccepted ? 1 : 0);
});

test('a form with faults is shown again as it was typed, every fault beside its field', {
  tags: 'parts',
}, async () => {
  const typed = {
    ...registration,
    name: '',
    purpose: 'Kept "purpose" </textarea>',
    redirect_uris: 'nonsense',
  };

  const answer = await register(service, cookie, { ...typed, client_type: 'public', scopes: 'BOOKING_READ' });

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'name')).toBe('Enter a name.');
  expect(faultOf(answer, 'redirect_uris')).toBe(
    'nonsense isn’t a full address such as https://app.example/callback.',
  );
  expect(typedIn(answer, 'purpose')).toBe(typed.purpose);
  expect(typedIn(answer, 'redirect_uris')).toBe('nonsense');
  expect(answer.body).toMatch(/value="public"[^>]* checked/);
  expect(answer.body).toMatch(/value="BOOKING_READ"[^>]* checked/);
  expect(answer.body).not.toMatch(/value="PROFILE_READ"[^>]* checked/);
});

describe('a form whose rows are its fields', () => {
  const rows = ['https://desk.example/a', 'http://localhost:3000/b', ''];

  /** Sends the form with its rows as a browser does, and one of its buttons. */
  async function send(fields: readonly (readonly [string, string])[], at = `${developerHome}/new`) {
    const { redirect_uris: _, access: __, ...typed } = registration;
    const form = { registration_key: newRegistrationKey(), ...typed, access: 'chosen' };
    const token = await formTokenOf(service, cookie);
    const sent = new URLSearchParams([
      ...Object.entries(form),
      ['form_token', token],
      ...fields.map(([n, v]) => [n, v]),
    ]);
    return service.app.inject({
      method: 'POST',
      url: at,
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      payload: sent.toString(),
    });
  }
  const uris = rows.map(
    (uri, index) => [index === 0 ? 'redirect_uris' : `redirect_uris_${index + 1}`, uri] as const,
  );
  const chosen = [['scopes_PROFILE_READ', 'PROFILE_WRITE']] as const;

  test.each(['redirect_uris_2', 'post_logout_redirect_uris', 'post_logout_redirect_uris_2'])(
    'refuses %s when it is sent twice, and stores nothing (security C35)',
    async (name) => {
      const answer = await send([...uris, ...chosen, [name, 'https://desk.example/c'], [name, 'x']]);

      expect(answer.statusCode).toBe(400);
    },
  );

  test('registers what they say, without the empty ones (contract §2, §6)', { tags: 'parts' }, async () => {
    const others = [
      ['scopes_BOOKING_READ', 'BOOKING_READ'],
      ['scopes_WEBHOOK_READ', ''],
    ] as const;
    const id = registeredId(await send([...uris, ...chosen, ...others]));

    expect(await findClientRow(service, id)).toMatchObject({
      redirectUris: rows.slice(0, 2),
      scopes: ['PROFILE_WRITE', 'BOOKING_READ'],
    });
  });

  test.each([
    ['add', 'redirect_uris', [...rows.slice(0, 2), ''], 'redirect_uris_3'],
    ['remove', 'redirect_uris 0', [rows[1]], 'add'],
    ['remove', 'redirect_uris 7', rows.slice(0, 2), 'add'],
    ['remove', 'everything', rows.slice(0, 2), undefined],
    ['add', 'everything', rows.slice(0, 2), undefined],
    ['preview', 'yes', rows.slice(0, 2), 'preview'],
  ] as const)(
    'shows again what was typed at %s=%s, and registers nothing (security C373)',
    async (button, value, left, focus) => {
      const before = await clientsOf(service, owner.id);

      const answer = await send([...uris, ...chosen, ['purpose', ''], [button, value]]);

      expect(answer.statusCode).toBe(200);
      expect(typedIn(answer, 'redirect_uris')?.split('\n')).toEqual(left);
      expect(answer.body).toMatch(/value="PROFILE_WRITE" checked/);
      expect(answer.body).not.toContain('-fault');
      const [, focused] =
        /<(?:input id|button class="button plain(?: small)?" type="submit" name)="([^"]*)"[^>]* autofocus/.exec(
          answer.body,
        ) ?? [];
      expect(focused).toBe(focus);
      expect(await clientsOf(service, owner.id)).toEqual(before);
    },
  );

  test('of an app that is there changes nothing by these buttons, either (security C373)', async () => {
    const id = registeredId(await send([...uris, ...chosen]));
    const before = await findClientRow(service, id);

    const answers = [];
    for (const button of ['add', 'remove', 'preview'])
      answers.push(
        await send(
          [
            ['redirect_uris', 'https://other.example/'],
            [button, 'redirect_uris'],
          ],
          `${developerHome}/${id}/edit`,
        ),
      );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(await findClientRow(service, id)).toEqual(before);
  });

  test('that says Write keeps the Read that is registered beside it, and so changes nothing (contract §6)', async () => {
    const id = registeredId(await send([...uris, ['scopes', 'PROFILE_READ'], ['scopes', 'PROFILE_WRITE']]));
    const { body } = await open(`${developerHome}/${id}/edit`);

    const answer = await postOwnForm(
      service,
      `${developerHome}/${id}/edit`,
      { ...fieldsIn(body), redirect_uris: rows.join('\n') },
      cookie,
    );

    expect(answer.headers.location).toContain('done=unchanged');
  });

  test('shows at most fifty of thousands of rows, and says how many there are', async () => {
    const many = Array.from({ length: 900 }, (_, index) => `https://a.example/${index}`).join('\n');

    const answer = await send([['redirect_uris', many]]);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'redirect_uris')).toBe('Enter up to 10 redirect URIs; these are 900.');
    expect(typedIn(answer, 'redirect_uris')?.split('\n')).toHaveLength(50);
  });
});

describe('what users will see', () => {
  /** The card beside the form, and that of the consent page. */
  async function cardOf(changes: Readonly<Record<string, string>>) {
    const answer = await register(service, cookie, { ...changes, preview: 'yes' });
    return /<div class="card consent[^>]*data-preview inert>(.*?)<\/section>/s.exec(answer.body)?.[1] ?? '';
  }

  test('is the consent page’s own card, with what is typed', { tags: 'parts' }, async () => {
    const scopes = ['BOOKING_WRITE'] as const;
    const website_url = 'https://desk.example/about';
    const card = textOf(
      await cardOf({ name: 'Desk', scopes: scopes[0], website_url, redirect_uris: 'http://localhost:1/' }),
    );
    const client = await addClient(service, { name: 'Desk', scopes, redirectUris: ['http://localhost:1/'] });
    const page = textOf(
      (await openAuthorizePage(service, { client_id: client.id, redirect_uri: client.redirectUri }, cookie))
        .body,
    );

    const said = [
      'Desk wants access to your Latchkey account',
      'Desk will be able to:',
      'Read and change',
      'You’ll be redirected to an app on this device: localhost:1. Allow it only if you started it yourself.',
    ];
    for (const words of said) {
      expect(card).toContain(words);
      expect(page).toContain(words);
    }
    expect(card).toContain('desk.example');
    expect(textOf(await cardOf({ access: 'chosen' }))).toContain(
      'Select scopes to see here what users approve.',
    );
    expect(textOf(await cardOf({ scopes: 'openid' }))).toContain('Sign in to Tidy Desk');
  });

  test('has nothing that can be clicked or sent, and what is typed is text (security C374)', async () => {
    const evil = '"><script>alert(1)</script><form action=//evil.example><button>';

    const card = await cardOf({
      name: evil,
      website_url: `https://evil.example/${evil}`,
      redirect_uris: `javascript:alert(1)\n${evil}`,
    });

    expect(card).toContain('&lt;script&gt;');
    expect(card).not.toMatch(/<(?:script|form|button|input|a|iframe)\b/);
    expect(card).not.toContain('redirected');
    expect(card).not.toContain('evil.example/');
    expect(card).toContain('No website given');
  });
});

describe('what is not asked for is not taken (OWASP ASVS 15.3.3)', () => {
  test('status, owner, id and secret come from us', async () => {
    const [person, other] = [await addUser(service), await addUser(service)];

    const answer = await register(service, await startSession(service, person), {
      id: 'chosen',
      client_id: 'chosen',
      status: 'accepted',
      ownerId: String(other.id),
      owner_id: String(other.id),
      client_secret: 'chosen',
    });

    const id = registeredId(answer);
    expect(await findClientRow(service, id)).toMatchObject({ status: 'pending', ownerId: person.id });
    expect(await findClientRow(service, 'chosen')).toBeUndefined();
    expect(await secretsOf(service, id)).toHaveLength(1);
  });
});

describe("another user's clients (contract §2)", async () => {
  const _id = registeredId(await register(service, cookie, { name: 'Private Desk' }));
  const stranger = await startSession(service, await addUser(service));
  const _admin = await startSession(service, await addUser(service, { isAdmin: true }));

  test('are not on the list', async () => {
    const [own, foreign] = [await open(developerHome), await open(developerHome, stranger)];

    expect(own.body).toContain('Private Desk');
    expect(foreign.body).not.toContain('Private Desk');
  });
});

test.each(['', '/new', `/${'0'.repeat(32)}`])(
  '%s below the developer settings asks to sign in first',
  async (path) => {
    const answer = await service.app.inject(`${developerHome}${path}`);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(
      `/signin?return_to=${encodeURIComponent(`${developerHome}${path}`)}`,
    );
  },
);
