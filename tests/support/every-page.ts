import type { LightMyRequestResponse } from 'fastify';
import { outbox } from '../../src/outbox/tables.ts';
import { openDecision, requestOf } from './authorization.ts';
import { setClientStatus } from './client-status.ts';
import { withoutTable } from './database-faults.ts';
import { exchange } from './explained-failures.ts';
import { addOwnedClient } from './failures.ts';
import { logoPath, makePng, uploadLogo } from './pictures.ts';
import {
  developerHome,
  formTokenOf,
  postOwnForm,
  register,
  registeredId,
  registration,
  reviewHome,
  secretsOf,
  submitEdit,
} from './registration.ts';
import { submitEdit as addEdit } from './review.ts';
import type { TestService } from './service.ts';
import { addClient, addUser, authorizePath, connect, openAuthorizePage, postForm, signIn } from './world.ts';

/** A page as somebody gets it, an error among them. */
export interface ShownPage {
  readonly name: string;
  readonly status: number;
  /** An address that no scope was found for is answered in plain text. */
  readonly isPlain?: true;
  /** The API's documentation writes of JSON's null. */
  readonly showsNull?: true;
  readonly show: () => Promise<LightMyRequestResponse>;
}

/** Every page of the service in every state that looks different: signed out, signed in, admin, and all kinds of errors. */
export async function listPages(service: TestService): Promise<readonly ShownPage[]> {
  const user = await signIn(service, await addUser(service));
  const admin = await signIn(service, await addUser(service, { isAdmin: true }));
  const client = await addClient(service);
  await connect(service, client, user);
  const own = registeredId(await register(service, user, { website_url: 'https://desk.example' }));
  const message = await anyMessage(service);
  const edited = await addClient(service);
  await addEdit(service, edited.id, { name: 'Changed app', websiteUrl: 'https://changed.example' });
  const waiting = registeredId(await register(service, user));
  await setClientStatus(service.database.db, waiting, 'accepted');
  await submitEdit(service, waiting, user, { name: 'Tidier Desk' });
  const secretsPath = `${developerHome}/${own}/secrets`;
  const [ownSecret] = await secretsOf(service, own);
  await uploadLogo(service, own, user, makePng(64, 64));
  const failing = await addOwnedClient(service);
  await exchange({ redirect_uri: 'https://app.example/Callback' })(service, failing.client);
  const decision = await openDecision(service, requestOf(client), user);

  const page =
    (cookie: string | undefined, url: string, status = 200) =>
    (name: string): ShownPage => ({
      name,
      status,
      show: () => service.app.inject({ url, headers: cookie === undefined ? {} : { cookie } }),
    });
  const answer = (name: string, status: number, show: ShownPage['show']): ShownPage => ({
    name,
    status,
    show,
  });
  const send =
    (type: string, payload: string, headers: Readonly<Record<string, string>> = {}) =>
    () =>
      service.app.inject({
        method: 'POST',
        url: '/signin',
        headers: { 'content-type': type, cookie: user, ...headers },
        payload,
      });
  const form = 'application/x-www-form-urlencoded';

  return [
    page(undefined, '/')('home'),
    page(user, '/')('home, signed in'),
    page(admin, '/')('home of an admin'),
    page(undefined, '/signin')('sign-in'),
    page(undefined, '/signup')('sign-up'),
    page(user, '/signin', 303)('sign-in, signed in'),
    page(user, `/signin/continue?return_to=${developerHome}`)('the page after sign-in'),
    page(user, '/settings/apps')('connected apps'),
    page(user, developerHome)('own apps'),
    page(user, `${developerHome}/new`)('registration'),
    page(user, `${developerHome}/${own}`)('a client'),
    // Developer settings.
    page(user, `${developerHome}/${own}/edit`)('an edit'),
    page(user, `${developerHome}/${own}/delete`)('a deletion'),
    page(user, `${developerHome}/${waiting}`)('a client with changes that wait'),
    page(user, `${developerHome}/${waiting}/edit`)('an edit of changes that wait'),
    page(user, `${developerHome}/unknown/edit`, 404)('no client to edit'),
    answer('an edit with faults', 400, () => submitEdit(service, own, user, { name: '' })),
    answer('an outdated edit', 409, () => submitEdit(service, own, user, { version: 'old' })),
    answer('a deletion without the name', 400, () =>
      postOwnForm(service, `${developerHome}/${own}/delete`, {}, user),
    ),
    page(admin, reviewHome)('review'),
    page(user, reviewHome, 403)('review, no admin'),
    // The outbox.
    page(admin, '/settings/admin/outbox')('outbox'),
    page(admin, `/settings/admin/outbox/${message}`)('a message of the outbox'),
    page(user, '/settings/admin/outbox', 403)('outbox, no admin'),
    page(undefined, developerHome, 303)('own apps, signed out'),
    page(undefined, '/nowhere', 404)('no such page'),
    page(user, '/nowhere', 404)('no such page, signed in'),
    page(user, `${developerHome}/unknown`, 404)('no such client'),
    page(undefined, '/assets/nowhere.css', 404)('no such asset'),
    page(undefined, '/assets/%2e%2e/layout.eta', 404)('a way out of the assets'),
    page(undefined, '/%00', 400)('NUL in the address'),
    { ...page(undefined, '/%zz', 400)('a broken address'), isPlain: true },
    page(user, `${developerHome}/${'x'.repeat(3000)}`, 404)('a long address'),
    answer('the authorization page', 200, () => openAuthorizePage(service, requestOf(client), user)),
    answer('the authorization page, signed out', 303, () => openAuthorizePage(service, requestOf(client))),
    answer('the authorization page, refused', 400, () => openAuthorizePage(service, {}, user)),
    answer('the authorization page, redirected', 303, () =>
      openAuthorizePage(service, requestOf(client, { response_type: 'token' }), user),
    ),
    answer('an outdated decision', 400, () =>
      postForm(service, authorizePath, { ...decision, decision: '', action: 'allow' }, user),
    ),
    // Sessions and limits.
    page(user, '/settings/sessions')('sessions'),
    page(undefined, '/settings/sessions', 303)('sessions, signed out'),
    answer('a session that is none', 404, async () => {
      const form = { form_token: await formTokenOf(service, user) };
      return postForm(service, '/settings/sessions/none/sign-out', form, user);
    }),
    answer('too many failed sign-ins', 429, async () => {
      const fields = { email: 'guessed@example.com', password: 'x' };
      for (let guess = 0; guess < 10; guess += 1) await postForm(service, '/signin', fields);
      return postForm(service, '/signin', fields);
    }),
    answer('a wrong password', 401, () =>
      postForm(service, '/signin', { email: 'a@example.com', password: 'x' }),
    ),
    answer('a sign-in with faults', 400, () => postForm(service, '/signin', {})),
    answer('a sign-up with faults', 400, () => postForm(service, '/signup', {})),
    answer('a registration with faults', 400, () =>
      register(service, user, { redirect_uris: 'javascript:x' }),
    ),
    answer('an outdated form', 403, () => postForm(service, `${developerHome}/new`, registration, user)),
    answer('a form from another site', 403, send(form, '', { origin: 'https://evil.example' })),
    answer('a body that is too large', 413, send(form, 'x'.repeat(70_000))),
    answer('a body of another type', 415, send('application/json', '{}')),
    answer('another method', 404, () => service.app.inject({ method: 'PUT', url: '/signin' })),
    // Review
    page(admin, reviewHome)('review'),
    page(admin, `${reviewHome}?status=all`)('review, all apps'),
    page(admin, `${reviewHome}?q=nowhere`)('review, nothing found'),
    page(admin, `${reviewHome}?q=a&q=b`, 400)('review, a faulty search'),
    page(admin, `${reviewHome}/${own}`)('review of a client'),
    page(admin, `${reviewHome}/${edited.id}`)('review of changes'),
    page(user, `${reviewHome}/${own}`, 403)('review of a client, no admin'),
    page(admin, `${reviewHome}/unknown`, 404)('review of no client'),
    answer('a rejection without a reason', 400, () =>
      postOwnForm(service, `${reviewHome}/${own}/reject`, { revision: '2' }, admin),
    ),
    answer('a decision about outdated values', 409, () =>
      postOwnForm(service, `${reviewHome}/${own}/accept`, { revision: '7' }, admin),
    ),
    answer('a fault of ours', 500, () =>
      withoutTable(service.database, 'sessions', () =>
        service.app.inject({ url: developerHome, headers: { cookie: user } }),
      ),
    ),
    // Secrets and logos.
    page(user, secretsPath)('the secrets of a client'),
    page(user, `${secretsPath}/${ownSecret?.id ?? ''}/delete`)('the deletion of a secret'),
    page(user, `${secretsPath}/none/delete`, 404)('no such secret'),
    page(undefined, secretsPath, 303)('the secrets of a client, signed out'),
    answer('a new secret without its form', 400, () => postOwnForm(service, secretsPath, {}, user)),
    page(user, logoPath(own))('the logo of a client'),
    page(admin, logoPath(own), 404)("the logo of somebody else's client"),
    answer('a logo that is no picture', 400, () => uploadLogo(service, own, user, Buffer.from('x'))),
    answer('a logo that is too large', 413, () => uploadLogo(service, own, user, Buffer.alloc(300_000))),
    { ...page(undefined, '/logos/unknown', 404)('no such logo'), isPlain: true },
    // API documentation.
    { ...page(undefined, '/docs')('the API documentation'), showsNull: true },
    { ...page(user, '/docs')('the API documentation, signed in'), showsNull: true },
    // Failed token requests
    answer('failed requests', 200, () => {
      const url = `${developerHome}/${failing.client.id}/failures`;
      return service.app.inject({ url, headers: { cookie: failing.cookie } });
    }),
    page(user, `${developerHome}/${own}/failures`)('no failed requests'),
    page(user, `${developerHome}/${own}/failures?request_id=ab`)('a search without a find'),
    page(user, `${developerHome}/${own}/failures?request_id=xyz`, 400)('a search with faults'),
    page(user, `${developerHome}/${failing.client.id}/failures`, 404)('failed requests of another owner'),
  ];
}

async function anyMessage({ database }: TestService): Promise<string> {
  const [message] = await database.db.select({ id: outbox.id }).from(outbox).limit(1);
  if (message === undefined) throw new Error('the outbox is empty');
  return message.id;
}
