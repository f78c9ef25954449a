import { describe, expect, test } from 'vitest';
import { fetchObjects } from '../../src/scheduling/calendars/caldav.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { type FeedAnswer, startFeedServer } from '../support/feed-server.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });

async function connect({ token }: Represented, changes: { readonly url: string }) {
  const body = { username: 'ann', password: 'canary-91c4', ...changes };
  return callApi(service, 'POST', '/calendars/caldav/credentials', { token, body });
}

describe('a CalDAV account (contract §8)', () => {
  test.each([
    ['user name with a colon', { username: 'ann:x' }, 'username'],
    ['password with a line break', { password: 'x\r\ny' }, 'password'],
    ['empty password', { password: '' }, 'password'],
    ['address with credentials', { url: 'http://ann:x@127.0.0.1/' }, 'url'],
  ])('is refused for a %s', async (_words, changes, field) => {
    const ann = await represent(service);

    expect(
      Object.keys(
        bodyOf(await connect(ann, { url: 'https://calendar.example/', ...changes }), 400).error.details,
      ),
    ).toEqual([field]);
  });
});

describe('a server that only says that it speaks CalDAV', () => {
  const multistatus =
    (content: string): FeedAnswer =>
    (_request, response) => {
      const text = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${content}</d:multistatus>`;
      response.writeHead(207, { 'content-type': 'application/xml' }).end(text);
    };
  const answerWith =
    (status: number, type: string, text: string): FeedAnswer =>
    (_request, response) =>
      void response.writeHead(status, { 'content-type': type }).end(text);
  const prop = (href: string, content: string): string =>
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${content}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;

  test('and names another host as the home of the calendars does not get the credentials there (security C43)', async () => {
    const [honest, other] = [await startFeedServer(), await startFeedServer()];
    const home = other.serve('/home/', multistatus(''));
    const url = honest.serve(
      '/',
      multistatus(
        prop(
          '/',
          `<d:current-user-principal><d:href>/</d:href></d:current-user-principal><c:calendar-home-set><d:href>${home}</d:href></c:calendar-home-set>`,
        ),
      ),
    );
    const ann = await represent(service);

    await connect(ann, { url });

    expect(honest.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
    expect(other.requests).not.toEqual([]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual(
      other.requests.map(() => undefined),
    );
  });

  test('and lists no calendars in an answer that is none is not taken for free time', async () => {
    const server = await startFeedServer();
    const principal = '<d:current-user-principal><d:href>/</d:href></d:current-user-principal>';
    const home = '<c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>';
    const url = server.serve('/', multistatus(prop('/', `${principal}${home}`)));
    const collection = '<d:resourcetype><d:collection/></d:resourcetype>';
    const calendar = '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>';
    const answers = [
      multistatus(''),
      answerWith(200, 'text/html', '<p>Sign in</p>'),
      answerWith(207, 'application/xml', '<d:multistatus><broken'),
      answerWith(500, 'application/xml', ''),
    ];
    for (const answer of answers) {
      server.serve('/home/', answer);
      expect((await connect(await represent(service), { url })).statusCode).toBe(400);
    }
    for (const answer of answers.slice(1)) {
      server.serve('/home/', multistatus(prop('/home/', collection) + prop('/home/work/', calendar)));
      server.serve('/home/work/', answer);
      expect((await connect(await represent(service), { url })).statusCode).toBe(400);
    }

    server.serve('/home/work/', multistatus(''));
    expect((await connect(await represent(service), { url })).statusCode).toBe(201);
  });

  test.each<[string, FeedAnswer]>([
    [
      'a page',
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ],
    [
      'broken XML',
      (_request, response) =>
        void response.writeHead(207, { 'content-type': 'application/xml' }).end('<a><b'),
    ],
    ['nothing', (_request, response) => void response.writeHead(204).end()],
    ['nothing of what was asked for', multistatus(prop('/', ''))],
    [
      'thousands of different elements',
      multistatus(Array.from({ length: 100_000 }, (_, index) => `<x${index}>1</x${index}>`).join('')),
    ],
    [
      'attributes behind a sign that looks like an end',
      multistatus(`<x a=">" ${Array.from({ length: 300_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`),
    ],
    // A parser that goes on makes an error of each: a megabyte took 5 to 200 seconds.
    ['half a million signs that begin nothing', multistatus('& '.repeat(500_000))],
    ['characters that no text may have', multistatus('&#1;'.repeat(250_000))],
    ['entities that nobody knows', multistatus('&x;'.repeat(300_000))],
    ['attributes without values', multistatus(`<x ${'a '.repeat(900)}/>`.repeat(500))],
    [
      'text behind its end',
      answerWith(207, 'application/xml', `<d:multistatus></d:multistatus>${'x'.repeat(1_000_000)}`),
    ],
    ['texts between a hundred thousand elements', multistatus('text<d:a/>'.repeat(100_000))],
    ['XML that is no multistatus', answerWith(200, 'text/xml', `<a>${'<b/>'.repeat(500_000)}</a>`)],
    ['an element without end', multistatus('<'.repeat(1_000_000))],
    ['elements in elements in elements', multistatus('<d:x>'.repeat(100_000))],
    [
      'entities in entities',
      (_request, response) => {
        const text = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;&c;</a>';
        response.writeHead(207, { 'content-type': 'application/xml' }).end(text);
      },
    ],
    [
      'redirects without end',
      (request, response) => void response.writeHead(302, { location: request.url ?? '' }).end(),
    ],
  ])('and answers with %s is refused in time', async (_words, answer) => {
    const server = await startFeedServer();
    server.serve('/.well-known/caldav', answer);
    const url = server.serve('/', answer);
    const ann = await represent(service);

    const refused = await connect(ann, { url });

    expect(Object.keys(bodyOf(refused, 400).error.details)).toEqual(['url']);
  });

  test('and names changes with a megabyte has it compared, and not kept (security C141)', async () => {
    const server = await startFeedServer();
    const kind = '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>';
    const tagged = (tag: string) =>
      multistatus(
        prop(
          '/home/work/',
          `${kind}<cs:getctag xmlns:cs="http://calendarserver.org/ns/">${tag}</cs:getctag>`,
        ),
      );
    server.serve('/home/work/', multistatus(''));
    const homeUrl = server.serve('/home/', tagged('x'.repeat(1_000_000)));
    const credentials = { url: homeUrl, username: 'ann', password: 'x' };
    const access = { kind: 'caldav' as const, ...credentials, addresses: [], homeUrl };
    const read = (validator?: string) =>
      service.app.calendars.run(1, (reading) =>
        fetchObjects(reading, access, { start: 0, end: 1 }, validator),
      );

    const first = await read();
    expect(first?.validator).toMatch(/^[\w-]{43}$/);
    expect(await read(first?.validator)).toBeUndefined();
    server.serve('/home/', tagged('y'.repeat(1_000_000)));
    expect((await read(first?.validator))?.validator).not.toBe(first?.validator);
  });
});
