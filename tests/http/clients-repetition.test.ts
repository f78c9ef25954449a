import { describe, expect, test } from 'vitest';
import { setClientStatus } from '../support/client-status.ts';
import { digestTables } from '../support/database-content.ts';
import { hiddenFieldOf, textOf, typedIn } from '../support/page-content.ts';
import {
  clientsOf,
  developerHome,
  eventsOf,
  formTokenOf,
  mailTo,
  newRegistrationKey,
  register,
  registeredId,
  registration,
  secretsOf,
} from '../support/registration.ts';
import { secretOn, tryOut } from '../support/secrets.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, postForm, startSession } from '../support/world.ts';
import { createVisitor } from './visitor.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const admin = await addUser(service, { isAdmin: true });

/** A developer who has sent a form once, and sends it again from the same page. */
async function sendOnce(changes: Readonly<Record<string, string>> = {}) {
  const owner = await addUser(service);
  const visitor = createVisitor(service);
  await visitor.fillIn('/signin', { email: owner.email, password: owner.password });
  const fields = {
    ...registration,
    name: `Desk of ${owner.username}`,
    registration_key: newRegistrationKey(),
    ...changes,
  };
  const send = (others: Readonly<Record<string, string>> = {}) =>
    visitor.fillIn(`${developerHome}/new`, { ...fields, ...others });
  const first = await send();
  return { owner, visitor, fields, send, first, id: registeredId(first) };
}

test('a form that is sent again leads to the same client, and says how to get a new secret', async () => {
  const { owner, visitor, send, id, fields } = await sendOnce();

  const second = await send();
  const page = await visitor.follow(second);

  const emails = await mailTo(service, admin.email);
  expect(second.headers.location).toBe(`${developerHome}/${id}?done=registered_before`);
  expect(second.headers).not.toHaveProperty('set-cookie');
  expect(textOf(page.body)).toContain('add a new one under Secrets');
  expect(await clientsOf(service, owner.id)).toHaveLength(1);
  expect(await secretsOf(service, id)).toHaveLength(1);
  expect(await eventsOf(service, id)).toHaveLength(1);
  expect(emails.filter(({ subject }) => subject.includes(String(fields.name)))).toHaveLength(1);
});

test("on a double click the second answer's page still shows the first one's secret, and it works", async () => {
  const { visitor, send, id } = await sendOnce();

  const secret = secretOn((await visitor.follow(await send())).body) ?? '';

  expect(await tryOut(service, id, secret)).toBe('401 invalid_client');
  await setClientStatus(service.database.db, id, 'accepted');
  expect(await tryOut(service, id, secret)).toBe('works');
});

test.each([1, 2])('a form that arrives many times at the same time registers once, round %i', async () => {
  const owner = await addUser(service);
  const cookie = await startSession(service, owner);
  const name = `Hasty Desk of ${owner.username}`;
  const fields = {
    ...registration,
    name,
    registration_key: newRegistrationKey(),
    form_token: await formTokenOf(service, cookie),
  };
  const instances = [service, another, service, another, service, another];

  const answers = await Promise.all(
    instances.map((at) => postForm(at, `${developerHome}/new`, fields, cookie)),
  );

  const emails = (await mailTo(service, admin.email)).filter(({ subject }) => subject.includes(name));
  const [client, ...more] = await clientsOf(service, owner.id);
  expect(more).toEqual([]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(instances.map(() => 303));
  for (const { headers } of answers) expect(headers.location).toContain(`${developerHome}/${client?.id}`);
  expect(answers.filter(({ headers }) => 'set-cookie' in headers)).toHaveLength(1);
  expect(emails).toHaveLength(1);
  expect(await secretsOf(service, String(client?.id))).toHaveLength(1);
});

test('the same form with other values registers nothing at first, says why, and does when it is sent again', async () => {
  const { owner, send, id } = await sendOnce();
  const before = await digestTables(service.database);

  const answer = await send({ name: 'Second Desk', redirect_uris: 'https://second.example/' });
  const after = await digestTables(service.database);
  const freshKey = hiddenFieldOf(answer.body, 'registration_key');
  const second = await send({
    name: 'Second Desk',
    redirect_uris: 'https://second.example/',
    registration_key: freshKey,
  });

  expect(answer.statusCode).toBe(409);
  expect(textOf(answer.body)).toContain('This form has already registered an app');
  expect(typedIn(answer, 'name')).toBe('Second Desk');
  expect(typedIn(answer, 'redirect_uris')).toBe('https://second.example/');
  expect(after).toEqual(before);
  expect(second.statusCode).toBe(303);
  expect(registeredId(second)).not.toBe(id);
  expect(await clientsOf(service, owner.id)).toHaveLength(2);
});

test('the form of a deleted client registers a new one, with another client_id (contract §2)', async () => {
  const { owner, visitor, send, id, fields } = await sendOnce();
  await visitor.fillIn(`${developerHome}/${id}/delete`, { name: String(fields.name) });

  const second = await send();

  expect(second.statusCode).toBe(303);
  expect((await clientsOf(service, owner.id)).map((client) => client.id)).toEqual([registeredId(second)]);
  expect(registeredId(second)).not.toBe(id);
});

test("one person's form is another one's own: ids and secrets differ", async () => {
  const registration_key = newRegistrationKey();
  const [one, other] = [await sendOnce({ registration_key }), await sendOnce({ registration_key })];

  const pages = [await one.visitor.follow(one.first), await other.visitor.follow(other.first)];

  expect(one.id).not.toBe(other.id);
  expect(new Set(pages.map(({ body }) => secretOn(body))).size).toBe(2);
});

describe('the registration key', () => {
  test('is random, and stays while faults are mended, so that the mended form too registers once', async () => {
    const cookie = await startSession(service, await addUser(service));
    const registration_key = newRegistrationKey();

    const pages = await Promise.all(
      [1, 2].map(() => service.app.inject({ url: `${developerHome}/new`, headers: { cookie } })),
    );
    const faulty = await register(service, cookie, { registration_key, name: '' });

    expect(new Set(pages.map(({ body }) => hiddenFieldOf(body, 'registration_key'))).size).toBe(2);
    expect(hiddenFieldOf(faulty.body, 'registration_key')).toBe(registration_key);
  });

  test.each(['', 'x', 'A'.repeat(32), '0'.repeat(31), `${'0'.repeat(32)}\0`])(
    'that is %j is replaced: nothing is registered, and the form can be sent again',
    async (registration_key) => {
      const owner = await addUser(service);
      const cookie = await startSession(service, owner);

      const refused = await register(service, cookie, { registration_key });
      const freshKey = hiddenFieldOf(refused.body, 'registration_key');
      const again = await register(service, cookie, { registration_key: freshKey });

      expect(refused.statusCode).toBe(400);
      expect(textOf(refused.body)).toContain('Please submit it again');
      expect(typedIn(refused, 'name')).toBe(registration['name']);
      expect(again.statusCode).toBe(303);
      expect(await clientsOf(service, owner.id)).toHaveLength(1);
    },
  );
});
