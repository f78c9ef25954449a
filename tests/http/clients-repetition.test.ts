import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clientSecrets } from '../../src/oauth/tables.ts';
import { outbox } from '../../src/outbox/tables.ts';
import { digestTables } from '../support/database-content.ts';
import { hiddenFieldOf, textOf, typedIn } from '../support/page-content.ts';
import {
  clientsOf,
  developerHome,
  eventsOf,
  formTokenOf,
  mailTo,
  newFormId,
  register,
  registeredId,
  registration,
  secretsOf,
} from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { createVisitor } from '../support/visitor.ts';
import { addUser, postForm, signIn } from '../support/world.ts';

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
    form_id: newFormId(service),
    ...changes,
  };
  const send = (others: Readonly<Record<string, string>> = {}) =>
    visitor.fillIn(`${developerHome}/new`, { ...fields, ...others });
  const first = await send();
  return { owner, visitor, fields, send, first, id: registeredId(first) };
}

const secretOn = (html: string): string | undefined => /id="client_secret">(lks_[\w-]{43})</.exec(html)?.[1];

test('a form that is sent again leads to the same client, and shows the same secret again', async () => {
  const { owner, visitor, send, first, id, fields } = await sendOnce();
  const shown = secretOn((await visitor.follow(first)).body);

  const second = await send();

  const letters = await mailTo(service, admin.email);
  expect(second.headers.location).toBe(`${developerHome}/${id}`);
  expect(shown).toMatch(/^lks_/);
  expect(secretOn((await visitor.follow(second)).body)).toBe(shown);
  expect(await clientsOf(service, owner.id)).toHaveLength(1);
  expect(await secretsOf(service, id)).toHaveLength(1);
  expect(await eventsOf(service, id)).toHaveLength(1);
  expect(letters.filter(({ subject }) => subject.includes(String(fields.name)))).toHaveLength(1);
});

test.each([
  { when: '299 seconds later', seconds: 299, hasSecret: true },
  { when: 'five minutes later', seconds: 300, hasSecret: false },
])(
  '$when it leads to the same client; its secret is shown again: $hasSecret',
  async ({ seconds, hasSecret }) => {
    const { owner, visitor, send, id } = await sendOnce();
    service.clock.advance(seconds);

    const second = await send();
    const page = await visitor.follow(second);

    expect(second.headers.location).toBe(`${developerHome}/${id}`);
    expect(secretOn(page.body) !== undefined).toBe(hasSecret);
    expect(await clientsOf(service, owner.id)).toHaveLength(1);
  },
);

test('a secret that was deleted since is not shown again', async () => {
  const { send, id } = await sendOnce();
  await service.database.db
    .update(clientSecrets)
    .set({ deletedAt: service.clock.now() })
    .where(eq(clientSecrets.clientId, id));

  const second = await send();

  expect(second.headers.location).toBe(`${developerHome}/${id}`);
  expect(second.headers).not.toHaveProperty('set-cookie');
});

test('a public client has no secret to show again', async () => {
  const { send, id } = await sendOnce({ client_type: 'public' });

  const second = await send();

  expect(second.headers.location).toBe(`${developerHome}/${id}`);
  expect(second.headers).not.toHaveProperty('set-cookie');
  expect(await secretsOf(service, id)).toEqual([]);
});

test.each([1, 2, 3, 4])('a form that arrives many times at once registers once, round %i', async () => {
  const owner = await addUser(service);
  const cookie = await signIn(service, owner);
  const name = `Hasty Desk of ${owner.username}`;
  const fields = {
    ...registration,
    name,
    form_id: newFormId(service),
    form_token: await formTokenOf(service, cookie),
  };
  const instances = [service, another, service, another, service, another];

  const answers = await Promise.all(
    instances.map((at) => postForm(at, `${developerHome}/new`, fields, cookie)),
  );

  const letters = (await mailTo(service, admin.email)).filter(({ subject }) => subject.includes(name));
  const [client, ...more] = await clientsOf(service, owner.id);
  expect(more).toEqual([]);
  expect(new Set(answers.map(registeredId))).toEqual(new Set([client?.id]));
  expect(answers.every(({ headers }) => 'set-cookie' in headers)).toBe(true);
  expect(letters).toHaveLength(1);
  expect(await secretsOf(service, String(client?.id))).toHaveLength(1);
});

test('the same form with other values registers nothing at first, says why, and does when it is sent again', async () => {
  const { owner, send, id } = await sendOnce();
  const before = await digestTables(service.database);

  const answer = await send({ name: 'Second Desk', redirect_uris: 'https://second.example/' });
  const after = await digestTables(service.database);
  const freshId = hiddenFieldOf(answer.body, 'form_id');
  const second = await send({
    name: 'Second Desk',
    redirect_uris: 'https://second.example/',
    form_id: freshId,
  });

  expect(answer.statusCode).toBe(409);
  expect(textOf(answer.body)).toContain('This form has registered an app before');
  expect(typedIn(answer, 'name')).toBe('Second Desk');
  expect(typedIn(answer, 'redirect_uris')).toBe('https://second.example/');
  expect(after).toEqual(before);
  expect(second.statusCode).toBe(303);
  expect(registeredId(second)).not.toBe(id);
  expect(await clientsOf(service, owner.id)).toHaveLength(2);
});

test('the form of a deleted client does not bring its client_id back (contract §2)', async () => {
  const { owner, visitor, send, id, fields } = await sendOnce();
  await visitor.fillIn(`${developerHome}/${id}/delete`, { name: String(fields.name) });

  const answer = await send();
  const second = await send({ form_id: hiddenFieldOf(answer.body, 'form_id') });

  expect(answer.statusCode).toBe(409);
  expect(textOf(answer.body)).toContain('was deleted since');
  expect(typedIn(answer, 'name')).toBe(fields.name);
  expect(second.statusCode).toBe(303);
  expect((await clientsOf(service, owner.id)).map((client) => client.id)).toEqual([registeredId(second)]);
  expect(registeredId(second)).not.toBe(id);
});

describe('a form that was opened a day ago', () => {
  const day = 24 * 3600;

  test('does not bring a deleted client back when the letter of its deletion is gone, and can be sent again (contract §2)', async () => {
    const { owner, visitor, send, id, fields } = await sendOnce();
    await visitor.fillIn(`${developerHome}/${id}/delete`, { name: String(fields.name) });
    await service.database.db.delete(outbox).where(eq(outbox.recipient, owner.email));
    service.clock.advance(day);

    const answer = await send();
    const registered = await clientsOf(service, owner.id);
    const second = await send({ form_id: hiddenFieldOf(answer.body, 'form_id') });

    expect(answer.statusCode).toBe(409);
    expect(textOf(answer.body)).toContain('This form was opened more than a day ago');
    expect(typedIn(answer, 'name')).toBe(fields.name);
    expect(registered).toEqual([]);
    expect(second.statusCode).toBe(303);
    expect(registeredId(second)).not.toBe(id);
  });

  test('still leads to what it has registered', async () => {
    const { owner, send, id } = await sendOnce();
    service.clock.advance(day);

    expect((await send()).headers.location).toBe(`${developerHome}/${id}`);
    expect(await clientsOf(service, owner.id)).toHaveLength(1);
  });

  test('registers until then', async () => {
    const cookie = await signIn(service, await addUser(service));
    const form_id = newFormId(service);
    service.clock.advance(day - 1);

    expect((await register(service, cookie, { form_id })).statusCode).toBe(303);
  });

  test.each([
    ['its instant', 39],
    ['its random part', 0],
    ['its MAC', 103],
  ])('cannot be made to look new: %s is another', async (_name, at) => {
    const cookie = await signIn(service, await addUser(service));
    const id = newFormId(service);
    const form_id = `${id.slice(0, at)}${id[at] === '0' ? '1' : '0'}${id.slice(at + 1)}`;

    const refused = await register(service, cookie, { form_id });

    expect(refused.statusCode).toBe(409);
    expect(hiddenFieldOf(refused.body, 'form_id')).not.toBe(form_id);
  });
});

test("one person's form is another one's own: ids and secrets differ", async () => {
  const form_id = newFormId(service);
  const [one, other] = [await sendOnce({ form_id }), await sendOnce({ form_id })];

  const pages = [await one.visitor.follow(one.first), await other.visitor.follow(other.first)];

  expect(one.id).not.toBe(other.id);
  expect(new Set(pages.map(({ body }) => secretOn(body))).size).toBe(2);
});

describe('the name of a form', () => {
  test('is random, and stays while faults are mended, so that the mended form too registers once', async () => {
    const cookie = await signIn(service, await addUser(service));
    const form_id = newFormId(service);

    const pages = await Promise.all(
      [1, 2].map(() => service.app.inject({ url: `${developerHome}/new`, headers: { cookie } })),
    );
    const faulty = await register(service, cookie, { form_id, name: '' });

    expect(new Set(pages.map(({ body }) => hiddenFieldOf(body, 'form_id'))).size).toBe(2);
    expect(hiddenFieldOf(faulty.body, 'form_id')).toBe(form_id);
  });

  test.each(['', 'x', 'A'.repeat(32), '0'.repeat(31), `${'0'.repeat(32)}\0`])(
    'that is %j is made anew: nothing is registered, and the form can be sent again',
    async (form_id) => {
      const owner = await addUser(service);
      const cookie = await signIn(service, owner);

      const refused = await register(service, cookie, { form_id });
      const freshId = hiddenFieldOf(refused.body, 'form_id');
      const again = await register(service, cookie, { form_id: freshId });

      expect(refused.statusCode).toBe(400);
      expect(textOf(refused.body)).toContain('please send it again');
      expect(typedIn(refused, 'name')).toBe(registration['name']);
      expect(again.statusCode).toBe(303);
      expect(await clientsOf(service, owner.id)).toHaveLength(1);
    },
  );
});
