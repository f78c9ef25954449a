import type { LightMyRequestResponse } from 'fastify';
import { openDecision, requestOf } from './authorization.ts';
import { allowForGood, visit } from './consent.ts';
import { withoutTable } from './database-faults.ts';
import { developerHome, register, registeredId, registration, reviewHome } from './registration.ts';
import type { TestService } from './service.ts';
import { addClient, addUser, authorizePath, connect, openAuthorizePage, postForm, signIn } from './world.ts';

/** A page as somebody gets it, an error among them. */
export interface ShownPage {
  readonly name: string;
  readonly status: number;
  /** An address that no scope was found for is answered in plain text. */
  readonly isPlain?: true;
  readonly show: () => Promise<LightMyRequestResponse>;
}

/** Every page of the service in every state that looks different: signed out, signed in, admin, and all kinds of errors. */
export async function listPages(service: TestService): Promise<readonly ShownPage[]> {
  const user = await signIn(service, await addUser(service));
  const admin = await signIn(service, await addUser(service, { isAdmin: true }));
  const client = await addClient(service);
  await connect(service, client, user);
  const own = registeredId(await register(service, user, { website_url: 'https://desk.example' }));
  const decision = await openDecision(service, requestOf(client), user);
  const remembering = await signIn(service, await addUser(service));
  await allowForGood(service, client, remembering);

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
    page(admin, reviewHome)('review'),
    page(user, reviewHome, 403)('review, no admin'),
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
    answer('a fault of ours', 500, () =>
      withoutTable(service.database, 'sessions', () =>
        service.app.inject({ url: developerHome, headers: { cookie: user } }),
      ),
    ),
    // Consent and connected apps.
    page(user, '/settings/apps?page=2', 303)('connected apps, behind the last page'),
    page(admin, '/settings/apps')('connected apps, none'),
    page(remembering, '/settings/apps')('connected apps, one remembered'),
    page(user, '/settings/apps/disconnect-all')('disconnecting all apps'),
    page(admin, '/settings/apps/disconnect-all')('disconnecting all apps, none'),
    answer('the authorization page, remembered', 303, () =>
      openAuthorizePage(service, requestOf(client), remembering),
    ),
    answer('the authorization page, fetched ahead', 200, () =>
      visit(service, requestOf(client), remembering, { 'sec-purpose': 'prefetch' }),
    ),
  ];
}
