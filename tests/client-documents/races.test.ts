import { expect, test } from 'vitest';
import {
  answerJson,
  askForReview,
  documentOf,
  nextUrl,
  startAgentHosts,
  visitAs,
} from '../support/client-documents.ts';
import { eventsOf, findClientRow, mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, signIn } from '../support/world.ts';

const hosts = await startAgentHosts();
const options = { documents: hosts.documents };
const service = await openTestService({}, undefined, undefined, options);
const another = await openAnotherInstance(service, {}, options);
const instanceOf = (n: number) => (n % 2 === 0 ? service : another);

test('of ten people who ask for a review of one app at once, on two instances, one makes its client (security C98)', async () => {
  const url = nextUrl();
  hosts.serve(url, answerJson(documentOf(url)));
  const admin = await addUser(service, { isAdmin: true });
  const people = await Promise.all(
    Array.from({ length: 10 }, async () => signIn(service, await addUser(service))),
  );

  const pages = await Promise.all(people.map(async (cookie, n) => visitAs(instanceOf(n), url, cookie)));
  const answers = await Promise.all(
    people.map(async (cookie, n) => askForReview(instanceOf(n), url, cookie, pages[n])),
  );

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(people.map(() => 303));
  expect(await findClientRow(service, url)).toMatchObject({ status: 'pending', revision: 1 });
  expect(await eventsOf(service, url)).toHaveLength(1);
  expect(await mailTo(service, admin.email)).toHaveLength(1);
});

test('of six apps of one domain that are asked for at once, five wait (security C98)', async () => {
  const urls = Array.from({ length: 6 }, (_, n) => `https://n${n}.racing.example/client.json`);
  const people = await Promise.all(urls.map(async () => signIn(service, await addUser(service))));
  for (const url of urls) hosts.serve(url, answerJson(documentOf(url)));

  const pages = await Promise.all(urls.map(async (url, n) => visitAs(instanceOf(n), url, people[n])));
  const answers = await Promise.all(
    urls.map(async (url, n) => askForReview(instanceOf(n), url, people[n] ?? '', pages[n])),
  );

  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 303, 303, 303, 303, 409]);
});
