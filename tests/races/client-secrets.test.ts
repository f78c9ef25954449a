import { expect, test } from 'vitest';
import { formTokenOf, mailTo } from '../support/registration.ts';
import {
  addOnPage,
  deletionPath,
  eventsOf,
  follow,
  liveHints,
  newForm,
  openOwned,
  secretOn,
  tryOut,
} from '../support/secrets.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { postForm } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const instanceOf = (index: number) => (index % 2 === 0 ? service : another);

test('of many additions at the same time on two instances one succeeds where there is room for one (contract §2)', async () => {
  const owned = await openOwned(service);
  const formToken = await formTokenOf(service, owned.cookie);

  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      postForm(instanceOf(index), owned.path, { form_token: formToken, ...newForm() }, owned.cookie),
    ),
  );

  expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(15);
  expect(await liveHints(service, owned.clientId)).toHaveLength(2);
  expect(await eventsOf(service, owned.clientId)).toEqual(['submitted', 'secret_added']);
  expect(await mailTo(service, owned.owner.email)).toHaveLength(1);
});

test('one form sent many times at the same time adds one secret, which one answer shows and the others tell of', async () => {
  const owned = await openOwned(service);
  const form = { form_token: await formTokenOf(service, owned.cookie), ...newForm() };

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => postForm(instanceOf(index), owned.path, form, owned.cookie)),
  );

  const shown = await Promise.all(answers.map((answer) => follow(service, answer, owned.cookie)));
  const secrets = shown.map(({ body }) => secretOn(body)).filter((secret) => secret !== undefined);
  expect(secrets).toHaveLength(1);
  expect(await tryOut(service, owned.clientId, String(secrets[0]))).toBe('works');
  expect(shown.filter(({ body }) => body.includes('This form has already added a secret.'))).toHaveLength(11);
  expect(await liveHints(service, owned.clientId)).toHaveLength(2);
  expect(await mailTo(service, owned.owner.email)).toHaveLength(1);
});

test('while secrets come and go at the same time there are never more than two (contract §2)', async () => {
  const owned = await openOwned(service);
  const added = await addOnPage(service, owned);
  const formToken = await formTokenOf(service, owned.cookie);
  const paths = await Promise.all(
    [owned.secret, added].map((secret) => deletionPath(service, owned, secret)),
  );

  const [, additions] = await Promise.all([
    Promise.all(paths.map((path) => postForm(another, path, { form_token: formToken }, owned.cookie))),
    Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        postForm(instanceOf(index), owned.path, { form_token: formToken, ...newForm() }, owned.cookie),
      ),
    ),
  ]);

  const live = await liveHints(service, owned.clientId);
  expect(live).toHaveLength(additions.filter(({ statusCode }) => statusCode === 303).length);
  expect(live.length).toBeLessThanOrEqual(2);
  expect(await tryOut(service, owned.clientId, owned.secret)).toBe('401 invalid_client');
  expect(await tryOut(service, owned.clientId, added)).toBe('401 invalid_client');
});
