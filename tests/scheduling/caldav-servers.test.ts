import { hash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createDigest } from '../../src/scheduling/calendars/digest.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { icsOf, listenOnLoopback } from '../support/feed-server.ts';
import { addPerson, openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}
type Answer = readonly [status: number, text?: string, headers?: Readonly<Record<string, string>>];
type Habit = (asked: Asked) => Answer | undefined;

/** Answers as the first habit does that knows the request; anything else isn't found. */
async function startServer(...habits: readonly Habit[]) {
  const asked: Asked[] = [];
  const bodyIn = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers: sent } = request;
    const one = { method, path, body: await bodyIn(request), headers: sent };
    asked.push(one);
    const [answer = [404] as const] = habits.flatMap((habit) => {
      const known = habit(one);
      return known === undefined ? [] : [known];
    });
    const [status, text = '', headers = {}] = answer;
    response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text);
  });
  const port = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}/`, asked };
}

const at =
  (method: string, path: string, ...answer: Answer): Habit =>
  (asked) =>
    asked.method === method && asked.path === path ? answer : undefined;
const multistatus = (...responses: readonly string[]): string =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses.join('')}</d:multistatus>`;
const stat = (props: string, status = '200 OK'): string =>
  `<d:propstat>${props === '' ? '' : `<d:prop>${props}</d:prop>`}<d:status>HTTP/1.1 ${status}</d:status></d:propstat>`;
const response = (href: string, ...parts: readonly string[]): string =>
  `<d:response><d:href>${href}</d:href>${parts.join('')}</d:response>`;
const hrefs = (name: string, ...all: readonly string[]): string =>
  `<${name}>${all.map((href) => `<d:href>${href}</d:href>`).join('')}</${name}>`;
const account = (...homes: readonly string[]): string =>
  hrefs('d:current-user-principal', '/ann/') + hrefs('c:calendar-home-set', ...homes);
const calendar = (path: string, name: string): string =>
  response(
    path,
    stat(
      `<d:displayname>${name}</d:displayname><d:resourcetype><d:collection/><c:calendar/></d:resourcetype>`,
    ),
  );
const home = (path: string, ...calendars: readonly string[]): Habit =>
  at(
    'PROPFIND',
    path,
    207,
    multistatus(response(path, stat('<d:resourcetype><d:collection/></d:resourcetype>')), ...calendars),
  );
const event = (uid: string, hour: number): string =>
  icsOf([`UID:${uid}`, `DTSTART:20310602T${hour}0000Z`, 'DURATION:PT1H']);
const object = (href: string, hour: number): string =>
  response(href, stat(`<d:getetag>"1"</d:getetag><c:calendar-data>${event(href, hour)}</c:calendar-data>`));
const etag = stat('<d:getetag>"1"</d:getetag>');

/** The principal, and a home with one calendar. */
const usual = [
  at('PROPFIND', '/', 207, multistatus(response('/', stat(account('/home/'))))),
  at('PROPFIND', '/ann/', 207, multistatus(response('/ann/', stat(account('/home/'))))),
  home('/home/', calendar('/home/work/', 'Work')),
  at('REPORT', '/home/work/', 207, multistatus(object('/home/work/a.ics', 10))),
];

async function connect({ token }: Represented, { url }: { readonly url: string }) {
  const body = { url, username: 'ann', password: 'canary-91c4' };
  return callApi(service, 'POST', '/calendars/caldav/credentials', { token, body });
}

async function hoursOf({ token }: Represented): Promise<string[]> {
  const query = 'dateFrom=2031-06-02&dateTo=2031-06-02';
  const { data } = bodyOf(await callApi(service, 'GET', `/calendars/busy-times?${query}`, { token }), 200);
  return data.map(({ start }: { readonly start: string }) => start.slice(11, 13));
}

/** The busy hours of a person who has connected it. */
async function hoursFrom(server: { readonly url: string }): Promise<string[]> {
  const person = await represent(service);
  bodyOf(await connect(person, server), 201);
  return hoursOf(person);
}

async function represented() {
  const { user, cookie } = await addPerson(service);
  return { ...(await represent(service, { user })), cookie };
}

const pageOf = async ({ cookie }: { readonly cookie: string }): Promise<string> =>
  textOf((await openAs(service, '/settings/calendars', cookie)).body);

async function refusalOf(server: { readonly url: string }): Promise<unknown> {
  return bodyOf(await connect(await represent(service), server), 400).error.details;
}

const sabreError =
  '<?xml version="1.0"?><d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:exception>Sabre</s:exception></d:error>';
const cannot = 'The server can’t answer at the moment. Try again later.';

test.each([
  [401, { password: 'Incorrect username or password.' }],
  [403, { password: 'Incorrect username or password.' }],
  [404, { url: 'The server has no calendar at this address.' }],
  [503, { url: cannot }],
  [429, { url: cannot }],
] as const)(
  'a status of %i decides, whatever XML comes with it, as from SabreDAV',
  async (status, details) => {
    const always: Habit = () => [status, sabreError, { 'www-authenticate': 'Basic realm="x"' }];
    const later = await startServer(
      (asked) => (asked.method === 'REPORT' ? always(asked) : undefined),
      ...usual,
    );

    expect(await refusalOf(await startServer(always))).toEqual(details);
    expect(await refusalOf(later)).toEqual(details);
  },
);

test('an app password that ends later is told as such', async () => {
  const ended: Answer[] = [];
  const server = await startServer(() => ended[0], ...usual);
  const ann = await represented();
  expect((await connect(ann, server)).statusCode).toBe(201);
  ended.push([401, sabreError]);

  expect(await pageOf(ann)).toContain('Incorrect username or password. Since');
});

describe('HTTP Digest (RFC 7616), which Baïkal asks for', () => {
  /** Answers who proves the password over a nonce that isn't used up, as SabreDAV and Apache do. */
  const guarded = (fields: string, password = 'canary-91c4', uses = 2): Habit => {
    let [nonce, count] = [1, 0];
    return ({ method, path, headers: { authorization = '' } }) => {
      const given = Object.fromEntries(
        [...authorization.matchAll(/(\w+)="?([^",]+)/g)].map(([, name = '', value = '']) => [name, value]),
      );
      const algorithm = /SHA-256/.test(fields) ? 'sha256' : 'md5';
      const digest = (...parts: unknown[]): string => hash(algorithm, parts.join(':'));
      const use = /^, ?qop/.test(fields) ? [given['nc'], given['cnonce'], 'auth'] : [];
      const key = digest('ann', 'Baikal "DAV"', password);
      const own = digest(key, `n${nonce}`, ...use, digest(method, path));
      const isFresh = count < uses;
      if (isFresh && given['response'] === own && given['uri'] === path && given['opaque'] === '2') {
        count += 1;
        return undefined;
      }
      if (!isFresh) [nonce, count] = [nonce + 1, 0];
      const challenge = `Digest realm="Baikal \\"DAV\\"", nonce="n${nonce}",opaque="2"${fields}`;
      return [401, sabreError, { 'www-authenticate': challenge }];
    };
  };

  test.each([
    [',qop="auth"'],
    [', qop="auth-int, auth", algorithm=SHA-256, Bearer realm="x"'],
    [''],
    [', algorithm=MD5, Digest realm="other", nonce="1", qop="auth-int", algorithm=SHA-512-256'],
  ])('is answered: %j', async (fields) => {
    const server = await startServer(guarded(fields), ...usual);
    const ann = await represented();

    expect((await connect(ann, server)).statusCode).toBe(201);
    expect(await pageOf(ann)).not.toContain('Since');
  });

  test('with a wrong password, and where Basic is offered too, is told as such, and asked once more at most', async () => {
    const both = 'Digest realm="x", nonce="1", Basic realm="x"';
    const wrong = await startServer(guarded(',qop="auth"', 'other'));
    const basic = await startServer(() => [401, '', { 'www-authenticate': both }]);

    for (const server of [wrong, basic])
      expect(await refusalOf(server)).toEqual({ password: 'Incorrect username or password.' });
    expect(wrong.asked.length).toBeLessThanOrEqual(2 * basic.asked.length);
  });

  test('gives the answer of the RFC’s example (RFC 2617 §3.5)', () => {
    const challenge = `Digest realm="testrealm@host.com", qop="auth,auth-int",
      nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"`;
    const answer = createDigest(challenge, { username: 'Mufasa', password: 'Circle Of Life' });

    expect(answer?.('GET', 'http://www.nowhere.org/dir/index.html', '0a4f113b')).toContain(
      'response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    );
  });

  test('names a user with other letters as RFC 8187 writes them, and answers no unknown algorithm', () => {
    const credentials = { username: 'Jäsøn’s', password: 'x' };

    expect(createDigest('Digest realm="x", nonce="1"', credentials)?.('GET', 'http://a/')).toContain(
      "username*=UTF-8''J%C3%A4s%C3%B8n%E2%80%99s",
    );
    expect(createDigest('Digest realm="x", nonce="1", algorithm=TIGER', credentials)).toBeUndefined();
  });

  test('leaves a challenge alone where Basic is asked for, not where a realm is called so', () => {
    const credentials = { username: 'ann', password: 'x' };

    expect(
      createDigest('Digest realm="Basic, of Ann", nonce="1"', credentials)?.('GET', 'http://a/'),
    ).toContain('realm="Basic, of Ann"');
    expect(createDigest('Digest realm="x", nonce="1", basic realm="x"', credentials)).toBeUndefined();
  });
});

test('a server without its root answers at /.well-known/caldav itself, and gives objects by multiget (RFC 4791 §7.9)', async () => {
  const listed = multistatus(
    response('/home/work/', etag),
    response('/home/work/a%40b.ics', etag, stat('<c:calendar-data/>', '404 Not Found')),
    response('/home/work/b&amp;c.ics', etag),
  );
  const server = await startServer(
    at('PROPFIND', '/', 501),
    at('PROPFIND', '/.well-known/caldav', 207, multistatus(response('/ann/', stat(account('/home/'))))),
    (asked) => (asked.body.includes('calendar-query') ? [207, listed] : undefined),
    (asked) => {
      if (!asked.body.includes('calendar-multiget')) return undefined;
      expect(asked.body).toContain(
        '<d:href>/home/work/a%40b.ics</d:href><d:href>/home/work/b&amp;c.ics</d:href>',
      );
      return [207, multistatus(object('/home/work/a@b.ics', 10), object('/home/work/b&amp;c.ics', 12))];
    },
    ...usual,
  );

  expect(await hoursFrom(server)).toEqual(['10', '12']);
});

test.each([
  ['answers for fewer than it listed', multistatus()],
  [
    'has none of what it listed',
    multistatus(response('/home/work/a.ics', '<d:status>HTTP/1.1 404 Not Found</d:status>')),
  ],
  ['keeps the data to itself', multistatus(response('/home/work/a.ics', etag))],
])('a server that %s is not taken for free time', async (_words, answer) => {
  const listed = multistatus(response('/home/work/a.ics', etag));
  const server = await startServer(
    (asked) =>
      asked.method === 'REPORT' ? [207, asked.body.includes('multiget') ? answer : listed] : undefined,
    ...usual,
  );

  expect(await refusalOf(server)).toEqual({ url: 'The server’s response isn’t a valid calendar.' });
});

test.each([
  ['its status', '<d:status>HTTP/1.1 404 Not Found</d:status>'],
  ['a propstat without prop, as DavMail’s', stat('', '404 Not Found')],
  ['all properties missing', stat('<d:getetag/><c:calendar-data/>', '404 Not Found')],
  ['410', '<d:status>HTTP/1.1 410 Gone</d:status>'],
])('an object that is gone, by %s, is passed over', async (_words, gone) => {
  const answer = multistatus(response('/home/work/gone.ics', gone), object('/home/work/a.ics', 10));
  const server = await startServer(at('REPORT', '/home/work/', 207, answer), ...usual);

  expect(await hoursFrom(server)).toEqual(['10']);
});

test('several objects that are gone, with one status for all, are passed over (RFC 4918 §14.24)', async () => {
  const listed = ['a', 'b', 'c'].map((name) => response(`/home/work/${name}.ics`, etag));
  const gone = `${hrefs('d:response', '/home/work/b.ics', '/home/work/c.ics')}`.replace(
    '</d:response>',
    '<d:status>HTTP/1.1 404 Not Found</d:status></d:response>',
  );
  const server = await startServer(
    (asked) => (asked.body.includes('calendar-query') ? [207, multistatus(...listed)] : undefined),
    at('REPORT', '/home/work/', 207, multistatus(gone, object('/home/work/a.ics', 10))),
    ...usual,
  );

  expect(await hoursFrom(server)).toEqual(['10']);
});

test.each([
  ['under the address that a proxy hides', [], 'https://mail.example/home/work/'],
  [
    'where it was redirected to',
    [at('REPORT', '/home/work/', 301, '', { location: '/moved/work/' })],
    '/moved/work/',
  ],
])('a calendar is not among its own objects, %s', async (_words, habits, own) => {
  const answer = multistatus(response(own, etag), object(`${own}a.ics`, 10));
  const server = await startServer(
    ...habits,
    ({ method }) => (method === 'REPORT' ? [207, answer] : undefined),
    ...usual,
  );

  expect(await hoursFrom(server)).toEqual(['10']);
});

test('a calendar that its owner has set as free takes no time (RFC 6638 §9.1)', async () => {
  const transparency = ['<c:transparent/>'];
  const free = () =>
    calendar('/home/free/', 'Free').replace(
      '</d:prop>',
      `<c:schedule-calendar-transp>${transparency.join('')}</c:schedule-calendar-transp></d:prop>`,
    );
  const server = await startServer(
    (asked) => home('/home/', calendar('/home/work/', 'Work'), free())(asked),
    at('REPORT', '/home/free/', 207, multistatus(object('/home/free/a.ics', 12))),
    ...usual,
  );
  const ann = await represent(service);

  expect((await connect(ann, server)).statusCode).toBe(201);
  expect(await hoursOf(ann)).toEqual(['10']);
  const { data } = bodyOf(await callApi(service, 'GET', '/calendars', ann));
  expect(
    data.connectedCalendars[0].calendars.map(({ isSelected }: { isSelected: boolean }) => isSelected),
  ).toEqual([true, false]);
  transparency.splice(0, 1, '<c:opaque/>');
  service.clock.advance(600);
  expect(await hoursOf(ann)).toEqual(['10', '12']);
});

test.each(['403 Forbidden', '500 Internal Server Error'])(
  'an object with %s is not passed over',
  async (status) => {
    const answer = multistatus(
      response('/home/work/b.ics', stat('<c:calendar-data/>', status)),
      object('/home/work/a.ics', 10),
    );
    const server = await startServer(at('REPORT', '/home/work/', 207, answer), ...usual);

    expect(await refusalOf(server)).toHaveProperty('url');
  },
);

test('a calendar that says of itself that there is more than it gives is not taken for all (RFC 5323 §2.3.3)', async () => {
  const cut = response('/home/work/', '<d:status>HTTP/1.1 507 Insufficient Storage</d:status>');
  const answer = multistatus(object('/home/work/a.ics', 10), cut);
  const server = await startServer(at('REPORT', '/home/work/', 207, answer), ...usual);

  expect(await refusalOf(server)).toEqual({ url: expect.stringContaining('too large') });
});

test('nor a home that says so', async () => {
  const cut = response('/home/', '<d:status>HTTP/1.1 507 Insufficient Storage</d:status>');
  const answer = multistatus(cut, calendar('/home/work/', 'Work'));
  const server = await startServer(at('PROPFIND', '/home/', 207, answer), ...usual);

  expect(await refusalOf(server)).toEqual({ url: expect.stringContaining('too large') });
});

test('a calendar tag without text says nothing of changes', async () => {
  const objects = [object('/home/work/a.ics', 10)];
  const untagged = response(
    '/home/work/',
    stat(
      '<d:resourcetype><c:calendar/></d:resourcetype><s:getctag xmlns:s="http://calendarserver.org/ns/"> </s:getctag>',
    ),
  );
  const server = await startServer(
    home('/home/', untagged),
    ({ method }) => (method === 'REPORT' ? [207, multistatus(...objects)] : undefined),
    ...usual,
  );
  const ann = await represent(service);
  await connect(ann, server);
  expect(await hoursOf(ann)).toEqual(['10']);
  objects.push(object('/home/work/b.ics', 12));
  service.clock.advance(600);

  expect(await hoursOf(ann)).toEqual(['10', '12']);
});

test('all homes of a person are read, also of an account from before (RFC 4791 §6.2.1)', async () => {
  const two = account('/home/', '/shared/');
  const server = await startServer(
    at('PROPFIND', '/ann/', 207, multistatus(response('/ann/', stat(two)))),
    home('/shared/', calendar('/shared/team/', 'Team'), calendar('/home/work/', 'Work')),
    at('REPORT', '/shared/team/', 207, multistatus(object('/shared/team/a.ics', 12))),
    ...usual,
  );

  expect(await hoursFrom(server)).toEqual(['10', '12']);
});

test('the one answer about an address counts, whatever the server calls the address', async () => {
  const principal = response('/other/ann%40mail.example/', stat(account('/home/ann@mail.example/')));
  const server = await startServer(
    at('PROPFIND', '/', 207, multistatus(response('/elsewhere', stat(account())))),
    at('PROPFIND', '/ann/', 207, multistatus(principal)),
    home('/home/ann@mail.example/', calendar('/home/ann%40mail.example/work/', 'Work')),
    at(
      'REPORT',
      '/home/ann%40mail.example/work/',
      207,
      multistatus(response('/home/ann@mail.example/work', etag), object('/x.ics', 10)),
    ),
  );

  expect(await hoursFrom(server)).toEqual(['10']);
});

test.each([403, 404, 501])(
  'a listed calendar that answers %i is named on the page, and the others count',
  async (status) => {
    const server = await startServer(
      home('/home/', calendar('/home/work/', 'Work'), calendar('/home/closed/', 'Closed &lt;one>')),
      at('REPORT', '/home/closed/', status, sabreError),
      ...usual,
    );
    const ann = await represented();

    expect((await connect(ann, server)).statusCode).toBe(201);
    expect(await hoursOf(ann)).toEqual(['10']);
    expect(await pageOf(ann)).toContain('The server doesn’t let us read “Closed <one>”');
  },
);
