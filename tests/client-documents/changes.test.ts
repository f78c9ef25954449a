import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createDocumentReader } from '../../src/client-documents/documents.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import {
  agentOf,
  answerJson,
  askForReview,
  callback,
  documentOf,
  nextUrl,
  startAgentHosts,
  visitAs,
} from '../support/client-documents.ts';
import { setClientStatus } from '../support/client-status.ts';
import { textOf } from '../support/page-content.ts';
import {
  eventsOf,
  findClientRow,
  findEditRow,
  mailTo,
  postOwnForm,
  reviewHome,
} from '../support/registration.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestService } from '../support/service.ts';
import { addUser, connect, refresh, signIn, startSession } from '../support/world.ts';

const hosts = await startAgentHosts();
const service = await openTestService({}, undefined, undefined, { documents: hosts.documents });
const cookie = await signIn(service, await addUser(service));
const admin = await addUser(service, { isAdmin: true });
const hour = 3600;

/** Others' reviews wait for no test. */
beforeEach(() => service.clock.advance(hour));

async function addAgent() {
  const url = nextUrl();
  hosts.serve(url, answerJson(documentOf(url)));
  const person = await signIn(service, await addUser(service));
  expect((await askForReview(service, url, person)).statusCode).toBe(303);
  await setClientStatus(service.database.db, url, 'accepted');
  return url;
}

const pathOf = (url: string): string => `${reviewHome}/~${Buffer.from(url).toString('base64url')}`;

/** Visits until the document has been read so often; what follows from it is there then. */
async function visitUntilRead(url: string, times: number): Promise<void> {
  const countLines = () =>
    service
      .logText()
      .split('\n')
      .filter((line) => line.includes('a metadata document was') && line.includes(url)).length;
  const before = countLines();
  await visitAs(service, url, cookie);
  await vi.waitFor(() => {
    expect(hosts.countReadings(url)).toBe(times);
    expect(countLines()).toBeGreaterThan(before);
  });
}

test('a document is read again when it is due, once, and a signed-in visit does not wait (draft, section 4.3)', async () => {
  const url = await addAgent();
  hosts.serve(url, () => {});

  await visitAs(service, url, cookie);
  expect(hosts.countReadings(url)).toBe(1);
  service.clock.advance(hour);
  await visitAs(service, url, undefined);
  expect(hosts.countReadings(url)).toBe(1);
  const [page] = await Promise.all([visitAs(service, url, cookie), visitAs(service, url, cookie)]);

  expect(page.statusCode).toBe(200);
  await vi.waitFor(() => expect(hosts.countReadings(url)).toBe(2));
});

test('a changed document waits for review as an edit does; the approved values stay (contract §2)', async () => {
  const url = await addAgent();
  const tokens = await connect(service, agentOf(url), cookie);
  const moved = 'https://elsewhere.example/callback';
  hosts.serve(url, answerJson(documentOf(url, { client_name: 'Another Agent', redirect_uris: [moved] })));
  service.clock.advance(hour);

  await visitUntilRead(url, 2);

  expect(await findClientRow(service, url)).toMatchObject({ name: 'Desk Agent', redirectUris: [callback] });
  expect(await findEditRow(service, url)).toMatchObject({ name: 'Another Agent', status: 'pending' });
  expect((await mailTo(service, admin.email)).map(({ subject }) => subject)).toContain(
    'Changes to review: Desk Agent',
  );
  expect((await visitAs(service, url, cookie, { redirect_uri: moved })).statusCode).toBe(400);
  const review = await service.app.inject({
    url: pathOf(url),
    headers: { cookie: await startSession(service, admin) },
  });
  expect(textOf(review.body)).toContain('elsewhere.example');
  expect(textOf(review.body)).toContain('by its document');

  await postOwnForm(
    service,
    `${pathOf(url)}/accept`,
    { revision: '2', scopes: 'BOOKING_READ PROFILE_READ' },
    await startSession(service, admin),
  );
  expect(await findClientRow(service, url)).toMatchObject({ name: 'Another Agent', redirectUris: [moved] });
  expect((await refresh(service, agentOf(url), tokens.refresh_token)).statusCode).toBe(200);
});

test('changes that were rejected are not submitted again, and withdrawn ones are (contract §2)', async () => {
  const url = await addAgent();
  hosts.serve(url, answerJson(documentOf(url, { client_name: 'Another Agent' })));
  service.clock.advance(hour);
  await visitUntilRead(url, 2);
  await postOwnForm(
    service,
    `${pathOf(url)}/reject`,
    { revision: '2', reason: 'No.' },
    await startSession(service, admin),
  );
  service.clock.advance(hour);

  await visitUntilRead(url, 3);
  expect(await findEditRow(service, url)).toMatchObject({ status: 'rejected' });
  hosts.serve(url, answerJson(documentOf(url)));
  service.clock.advance(hour);
  await visitUntilRead(url, 4);

  expect(await findEditRow(service, url)).toBeUndefined();
});

test('a rejected app comes back into review when its document changes, not before (contract §2)', async () => {
  const url = await addAgent();
  await setClientStatus(service.database.db, url, 'rejected');
  service.clock.advance(hour);
  await visitUntilRead(url, 2);
  expect(await findClientRow(service, url)).toMatchObject({ status: 'rejected' });
  hosts.serve(url, answerJson(documentOf(url, { client_name: 'Another Agent' })));
  service.clock.advance(hour);

  await visitUntilRead(url, 3);

  expect(await findClientRow(service, url)).toMatchObject({ status: 'pending', name: 'Another Agent' });
});

test('a document that is gone or broken changes nothing, and is asked for again an hour later (draft, section 4.3)', async () => {
  const url = await addAgent();
  hosts.serve(url, (_request, response) => response.writeHead(500).end());
  service.clock.advance(hour);
  await visitUntilRead(url, 2);
  await visitAs(service, url, cookie);
  hosts.serve(url, answerJson('{}'));
  service.clock.advance(hour);
  await visitUntilRead(url, 3);

  expect(await findClientRow(service, url)).toMatchObject({ status: 'accepted', name: 'Desk Agent' });
  expect((await visitAs(service, url, cookie)).statusCode).toBe(200);
});

test('a document that keeps changing is heard so often a day (security C98)', async () => {
  const url = await addAgent();
  const { max } = databaseLimits.thing_changes;
  for (let time = 1; time <= max + 2; time += 1) {
    hosts.serve(url, answerJson(documentOf(url, { client_name: `Agent ${time}` })));
    service.clock.advance(hour);
    await visitUntilRead(url, time + 1);
  }

  expect(await findEditRow(service, url)).toMatchObject({ name: `Agent ${max}` });
  expect(await eventsOf(service, url)).toHaveLength(max + 1);
});

test('rejected apps of one domain come back 5 at a time, however many change at once (security C98)', async () => {
  const urls = Array.from({ length: 6 }, (_, n) => `https://n${n}.returning.example/client.json`);
  for (const url of urls) {
    hosts.serve(url, answerJson(documentOf(url)));
    const person = await signIn(service, await addUser(service));
    expect((await askForReview(service, url, person)).statusCode).toBe(303);
    await setClientStatus(service.database.db, url, 'rejected');
    hosts.serve(url, answerJson(documentOf(url, { client_name: 'Another Agent' })));
  }
  service.clock.advance(hour);

  for (const url of urls) await visitUntilRead(url, 2);

  const rows = await Promise.all(urls.map((url) => findClientRow(service, url)));
  expect(rows.map((row) => row?.status)).toEqual([...Array.from({ length: 5 }, () => 'pending'), 'rejected']);
});

describe('the reader', () => {
  const reader = createDocumentReader(hosts.documents, 500);

  test('gives up on what never ends, in time and in size (security C98)', async () => {
    const [silent, dripping, endless] = [nextUrl(), nextUrl(), nextUrl()];
    hosts.serve(silent, () => {});
    hosts.serve(dripping, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    });
    hosts.serve(endless, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = (): unknown =>
        response.destroyed || response.write(' '.repeat(4096), () => setImmediate(write));
      write();
    });

    const faults = await Promise.all([silent, dripping, endless].map(async (url) => reader(url, scopeNames)));

    expect(faults).toEqual([
      { ok: false, reason: 'timed_out' },
      { ok: false, reason: 'timed_out' },
      { ok: false, reason: 'too_large' },
    ]);
  });

  test('reads one address once, and 8 at a time; the ninth is refused, not queued (security C98)', async () => {
    const urls = Array.from({ length: 9 }, nextUrl);
    for (const url of urls) hosts.serve(url, () => {});

    const results = await Promise.all(
      [...urls.slice(0, 8), urls[0] ?? '', urls[8] ?? ''].map(async (url) => reader(url, scopeNames)),
    );

    expect(results.map((result) => (result.ok ? 'ok' : result.reason))).toEqual([
      ...Array.from({ length: 9 }, () => 'timed_out'),
      'busy',
    ]);
    expect(urls.map((url) => hosts.countReadings(url))).toEqual([...Array.from({ length: 8 }, () => 1), 0]);
  });
});
