import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type AuthorizationFields, codeOf, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode } from '../support/consent.ts';
import { addPerson } from '../support/groups.ts';
import { credentialsOf, startVisit } from '../support/on-the-way.ts';
import { addSignInClient, verifyIdToken } from '../support/openid.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addUser, authorizePath, type TestClient } from '../support/world.ts';

const service = await openTestService();

const addressFor = (client: TestClient, changes: AuthorizationFields): string =>
  `${authorizePath}?${new URLSearchParams(requestOf(client, { scope: 'openid email', nonce: 'n', ...changes }))}`;

/** Nobody is asked again by the app, so a code comes without a click. */
async function addRegular(client: TestClient) {
  const person = await addPerson(service);
  const allowed = await allowForGood(service, client, person.cookie, { scope: 'openid email' });
  await exchangeCode(service, client, codeOf(allowed));
  return person;
}

const pathOf = ({ raw }: LightMyRequestResponse): string => String(raw.req.url);

describe.each([{ prompt: 'login' }, { max_age: '0' }, { prompt: 'login select_account' }])(
  'a request for a new sign-in, %j (OpenID Connect Core, section 3.1.2.1, contract §3)',
  (changes) => {
    test('takes another person’s, too, and asks for no second one', async () => {
      const client = await addSignInClient(service);
      const { visit } = await visitOfRegular(client);
      const other = await addUser(service);

      const confirm = await visit.open(addressFor(client, changes));
      const signInPage = await visit.press(confirm, 'Use another account');
      service.clock.advance(5);
      const signedInAt = Math.floor(service.clock.now().getTime() / 1000);
      const consent = await visit.press(signInPage, 'Sign in', credentialsOf(other));
      service.clock.advance(60);
      const allowed = await allow(visit, consent);
      const tokens = (await exchangeCode(service, client, codeOf(allowed))).json();

      expect(titleOf(confirm)).toBe('Confirm it’s you');
      expect(textOf(consent.body)).toContain(other.email);
      expect(await verifyIdToken(service, tokens, client.id)).toMatchObject({
        ...{ sub: String(other.id), email: other.email, nonce: 'n', auth_time: signedInAt },
      });
    });

    test('isn’t made again by a tab that asked before the sign-in, however it is sent or reloaded', async () => {
      const client = await addSignInClient(service);
      const { user, visit } = await visitOfRegular(client);
      const address = addressFor(client, changes);
      const [first, second] = [await visit.open(address), await visit.open(address)];
      service.clock.advance(5);
      await visit.press(first, 'Confirm', { password: user.password });
      service.clock.advance(5);

      const reloaded = await visit.open(pathOf(second));
      const sent = await visit.press(second, 'Confirm', { password: user.password });
      const third = await visit.open(address);

      for (const page of [reloaded, sent]) {
        expect(titleOf(page)).toBe('Sign in to Test app');
        expect(textOf(page.body)).toContain(user.email);
      }
      expect(titleOf(third)).toBe('Confirm it’s you');
    });

    test('in a second tab gives no code of somebody else who signed in meanwhile, whose consent is remembered', async () => {
      const client = await addSignInClient(service);
      const [{ user, visit }, { user: other }] = [await visitOfRegular(client), await addRegular(client)];
      const address = addressFor(client, changes);
      const [first, second] = [await visit.open(address), await visit.open(address)];
      service.clock.advance(5);
      const signInPage = await visit.press(first, 'Use another account');
      await visit.press(signInPage, 'Sign in', credentialsOf(other));

      const pages = [
        await visit.open(pathOf(second)),
        await visit.press(second, 'Confirm', { password: user.password }),
        await visit.press(second, 'Use another account'),
      ];

      for (const page of pages) {
        expect(titleOf(page)).toBe('Sign in to Test app');
        expect(textOf(page.body)).toContain(other.email);
      }
    });
  },
);

async function visitOfRegular(client: TestClient) {
  const { user, cookie } = await addRegular(client);
  return { user, visit: startVisit(service, cookie) };
}

/** Presses the button that belongs to the form of the decision. */
async function allow(visit: ReturnType<typeof startVisit>, page: LightMyRequestResponse) {
  const whole = page.body.replace('</form>\n<div class="decide">', '<button>Allow</button></form>\n');
  return visit.press({ ...page, body: whole }, 'Allow', { action: 'allow' });
}
