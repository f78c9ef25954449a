import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { clientSecrets } from '../../src/oauth/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { joinPathOf } from '../../src/scheduling/bookings/booking.ts';
import {
  addOnPage,
  createAuthenticator,
  enterCode,
  firstPath,
  openSecondFactor,
  secondPath,
  securityHome,
} from '../support/authenticator.ts';
import { openDecision, requestOf } from '../support/authorization.ts';
import { addEventType, addTeamEventType, bookOn, dana, uidIn } from '../support/booking.ts';
import { addWaitingAgent, askForReview, nextUrl } from '../support/client-documents.ts';
import { setClientStatus } from '../support/client-status.ts';
import { allowForGood, visit } from '../support/consent.ts';
import { withoutTable } from '../support/database-faults.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { addOwnedClient, exchange } from '../support/failed-requests.ts';
import { addGroup, addInvitation, addMember, addPerson, invite } from '../support/groups.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { logoPath, makePng, uploadLogo } from '../support/pictures.ts';
import {
  developerHome,
  formTokenOf,
  postOwnForm,
  register,
  registeredId,
  registration,
  reviewDecisions,
  reviewHome,
  secretsOf,
  submitEdit,
} from '../support/registration.ts';
import { submitEdit as addEdit } from '../support/review.ts';
import { follow, newForm } from '../support/secrets.ts';
import { openAnotherInstance, type TestService } from '../support/service.ts';
import { suspend } from '../support/suspension.ts';
import { addTeam } from '../support/teams.ts';
import { mailSettings, verifyPathTo } from '../support/verification.ts';
import {
  addClient,
  addUser,
  authorizePath,
  connect,
  openAuthorizePage,
  postForm,
  startSession,
} from '../support/world.ts';
import { addFilledSettings } from './filled-settings.ts';

/** A page as a user gets it, an error among them. */
export interface ShownPage {
  readonly name: string;
  readonly status: number;
  /** The one address of another origin, which a person chooses to open. */
  readonly leadsTo?: string;
  /** Undefined: `same-origin`. */
  readonly referrerPolicy?: string;
  /** An address that no scope was found for is answered in plain text. */
  readonly isPlain?: true;
  /** Asked for once; every test of the page looks at the same answer. */
  readonly show: () => Promise<LightMyRequestResponse>;
}

/** Every page of the service, but for the API documentation (tests/http/docs), in every state that looks different: signed out, signed in, admin, and all kinds of errors. */
export async function listPages(service: TestService): Promise<readonly ShownPage[]> {
  const user = await startSession(service, await addUser(service));
  const admin = await startSession(service, await addUser(service, { isAdmin: true }));
  const client = await addClient(service);
  await connect(service, client, user);
  const own = registeredId(await register(service, user, { website_url: 'https://desk.example' }));
  const agent = await addWaitingAgent(service);
  const agentReview = `${reviewHome}/~${Buffer.from(agent).toString('base64url')}`;
  const message = await addFailingMessage(service);
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
  const host = await addUser(service);
  const filled = await addFilledSettings(service);
  const hostCookie = await startSession(service, host);
  const { path: talk, id: talkId } = await addEventType(service, host);
  const slot = inBerlin(nextDate(), '10:00');
  const ownBooking = await bookOn(service, talk, slot);
  const leadsTo = 'https://meet.example/room?pwd=a';
  const locations = [{ type: 'link', link: leadsTo, public: false }] as const;
  const { path: call } = await addEventType(service, await addUser(service), { locations });
  const meeting = joinPathOf(uidIn(await bookOn(service, call, slot)), service.rootSecret);
  const hosted = `/bookings/${uidIn(ownBooking)}`;
  const { path: onRequest } = await addEventType(service, host, { requiresConfirmation: true });
  const asked = `/bookings/${uidIn(await bookOn(service, onRequest, inBerlin(nextDate(), '12:00')))}`;
  const decision = await openDecision(service, requestOf(client), user);
  const owner = await addPerson(service);
  const team = await addGroup(service, 'team', owner.user);
  const organization = await addGroup(service, 'organization', owner.user);
  const bareTeam = await addTeam(service, owner.user);
  const turns = await addTeamEventType(service, await addTeam(service, owner.user), [owner.user]);
  const teamMember = await addMember(service, team, 'member');
  const invitation = await addInvitation(service, team, owner.user);
  const organizationMember = await addMember(service, organization, 'member');
  await addInvitation(service, organization, owner.user);
  const schedule = { name: 'Summer', timeZone: 'UTC' };
  await postOwnForm(service, '/settings/availability/new', schedule, owner.cookie);
  const suspended = await addUser(service);
  await suspend(service, suspended, admin);
  await startSession(service, host);
  const remembering = await startSession(service, await addUser(service));
  const guessing = await startSession(service, await addUser(service));
  await allowForGood(service, client, remembering);

  const newcomer = await addUser(service, { isVerified: false });
  const newcomerCookie = await startSession(service, newcomer);
  await postOwnForm(service, '/verify/resend', {}, newcomerCookie);
  const verifyPath = await verifyPathTo(service, newcomer.email);
  const strict = await openAnotherInstance(service, { ...mailSettings, APP_URL: service.appUrl });

  const holder = await addUser(service);
  const holderCookie = await startSession(service, holder);
  const passkey = createAuthenticator(service);
  await addOnPage(service, holderCookie, passkey);

  const states = await addClientsOfEachState(service, admin);

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
  const reset = { referrerPolicy: 'strict-origin' } as const;

  const resetPath = await obtainResetPath(service, (await addUser(service)).email);
  const leaving = { client_id: client.id, post_logout_redirect_uri: client.redirectUri };
  const logoutPath = `/auth/oauth2/logout?${new URLSearchParams(leaving).toString()}`;

  const pagesOfWebhooks = () => [
    page(user, '/settings/webhooks')('no webhooks'),
    page(filled.cookie, '/settings/webhooks')('webhooks that fail'),
    page(filled.cookie, filled.failing)('a webhook with a log'),
    page(filled.cookie, filled.off)('a webhook that was turned off'),
    page(user, '/settings/webhooks/new')('a new webhook'),
    page(undefined, '/settings/webhooks', 303)('webhooks, signed out'),
    page(user, '/settings/webhooks/none', 404)('no such webhook'),
    page(user, `${developerHome}/${own}/webhooks`)('webhooks of a client'),
    page(user, `${developerHome}/${own}/webhooks/new`)('a new webhook of a client'),
    page(owner.cookie, `${team.page}/webhooks`)('webhooks of a team'),
    page(teamMember.cookie, `${team.page}/webhooks`, 404)('webhooks of a team, for a member'),
    answer('a webhook with faults', 400, () => postOwnForm(service, '/settings/webhooks/new', {}, user)),
    ...(
      [
        ['a webhook', user, '/settings/webhooks/new'],
        ['a webhook of a client', user, `${developerHome}/${own}/webhooks/new`],
        ['a webhook of a team', owner.cookie, `${team.page}/webhooks/new`],
      ] as const
    ).map(([name, cookie, path]) =>
      answer(name, 200, async () => {
        const form = { subscriberUrl: 'https://hooks.example/hook', triggers: 'BOOKING_CREATED' };
        const { headers } = await postOwnForm(service, path, form, cookie);
        return service.app.inject({ url: String(headers.location), headers: { cookie } });
      }),
    ),
  ];
  const pagesOfLogos = () => [
    page(user, logoPath(own))('the logo of a client'),
    page(admin, logoPath(own), 404)("the logo of another user's client"),
    answer('a logo that is no picture', 400, () => uploadLogo(service, own, user, Buffer.from('x'))),
    answer('a logo that is too large', 413, () => uploadLogo(service, own, user, Buffer.alloc(300_000))),
  ];
  const pages: readonly ShownPage[] = [
    page(undefined, '/')('home'),
    page(user, '/')('home, signed in'),
    page(admin, '/')('home of an admin'),
    page(undefined, '/signin')('sign-in'),
    page(undefined, '/signup')('sign-up'),
    page(user, '/signin', 303)('sign-in, signed in'),
    page(user, `/signin/continue?return_to=${developerHome}`)('the page after sign-in'),
    page(undefined, '/docs/errors')('OAuth errors'),
    page(user, '/settings/apps')('connected apps'),
    ...(service.app.hasRoute({ method: 'GET', url: '/auth/oauth2/logout' })
      ? [
          page(user, logoutPath)('signing out of an app, too'),
          page(undefined, '/auth/oauth2/logout')('signed out of an app, too'),
        ]
      : []),
    page(user, developerHome)('own apps'),
    page(user, `${developerHome}/new`)('registration'),
    page(user, `${developerHome}/${own}`)('a client'),
    // Developer settings.
    page(user, `${developerHome}/${own}/quickstart`)('a quickstart'),
    page(user, `${developerHome}/${own}/quickstart?language=shell`)('a quickstart for the shell'),
    page(user, `${developerHome}/${own}/edit`)('an edit'),
    page(states.cookie, `${developerHome}/${states.rejected}`)('a rejected client'),
    page(states.cookie, `${developerHome}/${states.rejected}/edit`)('an edit of a rejected client'),
    page(states.cookie, `${developerHome}/${states.refused}`)('a client whose changes were rejected'),
    page(states.cookie, `${developerHome}/${states.refused}/edit`)('an edit of changes that were rejected'),
    page(states.cookie, `${developerHome}/${states.refused}/secrets`)('two secrets of a client'),
    page(states.cookie, `${developerHome}/${states.rejected}/secrets`)('no secret of a client'),
    answer('a new client with its secret', 200, async () =>
      follow(service, await register(service, states.cookie), states.cookie),
    ),
    page(admin, `${reviewHome}/${states.suspended}`)('review of a suspended client'),
    page(user, `${developerHome}/${own}/delete`)('a deletion'),
    ...(service.app.hasRoute({ method: 'GET', url: `${developerHome}/:clientId/sign-in` })
      ? [page(user, `${developerHome}/${own}/sign-in`)('how people sign in with a client')]
      : []),
    page(user, `${developerHome}/${waiting}`)('a client with changes that wait'),
    page(user, `${developerHome}/${waiting}/edit`)('an edit of changes that wait'),
    page(user, `${developerHome}/unknown/edit`, 404)('no client to edit'),
    page(user, `${authorizePath}?client_id=https://agent.example/client.json`, 400)('an unknown agent'),
    answer('an agent whose document can’t be read', 400, () => askForReview(service, nextUrl(), user)),
    page(user, `${authorizePath}?client_id=${agent}`, 400)('an agent in review'),
    page(admin, agentReview)('review of an agent'),
    page(admin, `${agentReview}/failed-requests`)('failed requests of an agent'),
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
    page(admin, '/settings/admin')('overview of admins'),
    page(admin, '/settings/admin/accounts')('accounts'),
    page(admin, '/settings/admin/accounts?q=nobody')('accounts, nobody found'),
    page(admin, `/settings/admin/accounts/${host.id}`)('an account'),
    ...['make-admin', 'send-link', 'remove-passkeys'].map((deed) =>
      page(admin, `/settings/admin/accounts/${host.id}/${deed}`)(`an account: ${deed}`),
    ),
    page(admin, '/settings/admin/audit')('audit log'),
    page(admin, `/settings/admin/audit?person=${host.email}&action=user.signed_in`)('audit log, filtered'),
    page(admin, '/settings/admin/audit?person=nobody&from=soon', 400)('audit log, a faulty filter'),
    page(user, '/settings/admin/audit', 403)('audit log, no admin'),
    page(user, '/settings/activity')('account activity'),
    page(undefined, '/settings/activity', 303)('account activity, signed out'),
    page(user, '/settings/data')('own data'),
    page(undefined, '/settings/data', 303)('own data, signed out'),
    page(user, '/settings/data/delete')('deletion of the account'),
    answer('a deletion of the account without the address', 400, () =>
      postOwnForm(service, '/settings/data/delete', { email: 'x' }, user),
    ),
    page(owner.cookie, '/settings/data/delete')('deletion of the account of an only owner'),
    page(admin, `/settings/admin/accounts/${suspended.id}`)('a suspended account'),
    page(user, '/settings/admin/accounts', 403)('accounts, no admin'),
    page(admin, '/settings/admin/accounts/0', 404)('no such account'),
    answer('a suspension without a reason', 400, () =>
      postOwnForm(service, `/settings/admin/accounts/${host.id}/suspend`, {}, admin),
    ),
    page(undefined, developerHome, 303)('own apps, signed out'),
    page(owner.cookie, `/team/${bareTeam.slug}`)('a team without event types, for a member'),
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
    page(hostCookie, '/settings/sessions')('two sessions'),
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
    answer('a draft of a registration', 200, () =>
      register(service, user, { redirect_uris: 'https://desk.example/cb', add: 'redirect_uris' }),
    ),
    answer('an outdated form', 403, () => postForm(service, `${developerHome}/new`, registration, user)),
    answer('a form from another site', 403, send(form, '', { origin: 'https://evil.example' })),
    answer('a body that is too large', 413, send(form, 'x'.repeat(70_000))),
    answer('a body of another type', 415, send('application/json', '{}')),
    answer('another method', 405, () => service.app.inject({ method: 'PUT', url: '/signin' })),
    // Review
    page(admin, reviewHome)('review'),
    page(admin, `${reviewHome}?status=all`)('review, all apps'),
    page(admin, `${reviewHome}?q=nowhere`)('review, nothing found'),
    page(admin, `${reviewHome}?q=a&q=b`, 400)('review, a faulty search'),
    page(admin, `${reviewHome}/${own}`)('review of a client'),
    page(admin, `${reviewHome}/${edited.id}`)('review of changes'),
    page(user, `${reviewHome}/${own}`, 403)('review of a client, no admin'),
    page(admin, `${reviewHome}/unknown`, 404)('review of no client'),
    answer('a rejection without a reason', 400, () => reviewDecisions.reject(service, own, admin, '')),
    answer('a decision about outdated values', 409, () =>
      reviewDecisions.accept(service, own, admin, undefined, 7),
    ),
    // Teams, organizations, invitations.
    page(user, '/settings/teams')('no teams'),
    page(owner.cookie, '/settings/teams')('teams'),
    page(owner.cookie, '/settings/teams/new')('a new team'),
    page(owner.cookie, team.page)('a team, for its owner'),
    page(teamMember.cookie, team.page)('a team, for a member'),
    page(user, team.page, 404)('a team, for a stranger'),
    page(teamMember.cookie, `${team.path}/edit`, 403)('the form of a team, for a member'),
    page(owner.cookie, `${team.path}/edit`)('the form of a team'),
    page(owner.cookie, `${team.path}/delete`)('the end of a team'),
    answer('a new team with faults', 400, () => postOwnForm(service, '/settings/teams/new', {}, user)),
    answer('the form of a team with faults', 400, () =>
      postOwnForm(service, `${team.path}/edit`, {}, owner.cookie),
    ),
    answer('a new organization with faults', 400, () =>
      postOwnForm(service, '/settings/organization/new', {}, user),
    ),
    page(user, '/settings/organization')('no organization'),
    page(user, '/settings/organization/new')('a new organization'),
    page(owner.cookie, organization.page)('an organization'),
    page(organizationMember.cookie, organization.page)('an organization, for a member'),
    page(owner.cookie, `${organization.path}/edit`)('the form of an organization'),
    page(undefined, invitation.link)('an invitation, signed out'),
    page(user, invitation.link)('an invitation, signed in'),
    page(owner.cookie, invitation.link)('an invitation, for a member'),
    page(undefined, '/invitations/declined')('a declined invitation'),
    page(undefined, '/invitations/unknown', 410)('an invitation that does not work'),
    answer('an invitation with faults', 400, () => invite(service, team, owner.cookie, 'nobody')),
    answer('the last owner who leaves', 409, () =>
      postOwnForm(service, `${team.path}/leave`, {}, owner.cookie),
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
    ...(service.app.hasRoute({ method: 'GET', url: logoPath(':clientId') }) ? pagesOfLogos() : []),
    { ...page(undefined, '/logos/unknown', 404)('no such logo'), isPlain: true },
    // Failed token requests
    answer('failed requests', 200, () => {
      const url = `${developerHome}/${failing.client.id}/failed-requests`;
      return service.app.inject({ url, headers: { cookie: failing.cookie } });
    }),
    page(user, `${developerHome}/${own}/failed-requests`)('no failed requests'),
    page(
      user,
      `${developerHome}/${failing.client.id}/failed-requests`,
      404,
    )('failed requests of another owner'),
    // Profile and passwords.
    page(user, '/settings/profile')('profile'),
    page(user, '/settings/profile?saved')('profile, saved'),
    page(user, '/settings/profile/email')('email address'),
    page(newcomerCookie, '/settings/profile')('profile, not verified'),
    page(user, '/?done=verified')('home, after the address was verified'),
    answer('email address, with email', 200, () =>
      strict.app.inject({ url: '/settings/profile/email', headers: { cookie: user } }),
    ),
    answer('an email address with faults', 400, () =>
      postOwnForm(strict, '/settings/profile/email', {}, user),
    ),
    page(user, '/settings/password')('password'),
    page(user, '/settings/password?saved')('password, saved'),
    page(undefined, '/settings/profile', 303)('profile, signed out'),
    page(undefined, '/settings/password', 303)('password, signed out'),
    page(undefined, '/verify/sent')('a verification email is on its way'),
    page(user, '/verify/sent')('a verification email is on its way, signed in'),
    { ...page(undefined, '/verify/unknown', 404)('a dead verification link'), ...reset },
    { ...page(undefined, verifyPath)('a verification link'), ...reset },
    { ...page(newcomerCookie, verifyPath)('a verification link, signed in'), ...reset },
    { ...page(user, verifyPath)('a verification link of another account'), ...reset },
    answer('an address to verify first', 403, () =>
      strict.app.inject({ url: `${developerHome}/new`, headers: { cookie: newcomerCookie } }),
    ),
    page(undefined, '/forgot')('forgotten password'),
    answer('forgotten password, with email', 200, () => strict.app.inject('/forgot')),
    answer('an email is on its way', 200, () => strict.app.inject('/forgot/sent')),
    { ...page(undefined, resetPath)('a reset link'), ...reset },
    { ...page(undefined, '/reset/unknown', 404)('a dead reset link'), ...reset },
    { ...answer('a reset with faults', 400, () => postForm(service, resetPath, {})), ...reset },
    answer('a profile with faults', 400, () => postOwnForm(service, '/settings/profile', {}, user)),
    answer('a wrong current password', 400, async () =>
      postOwnForm(
        service,
        '/settings/password',
        { current_password: 'x', new_password: 'long enough' },
        guessing,
      ),
    ),
    answer('a forgotten password with faults', 400, () => postForm(strict, '/forgot', {})),
    answer('a form without a session', 303, () => postForm(service, `${developerHome}/new`, registration)),
    page(user, '/settings/profile?unsaved')('a form that was not saved'),
    answer('the question who it is, after a wrong password', 401, async () => {
      const form = { form_token: await formTokenOf(service, remembering), password: 'x' };
      return postForm(service, '/signin/confirm', form, remembering);
    }),
    page(undefined, '/signin/confirm', 303)('the question who it is, signed out'),
    // Passkeys.
    page(undefined, firstPath)('a passkey alone'),
    answer('a passkey alone, which is none', 400, () => postForm(service, firstPath, {})),
    page(undefined, secondPath, 303)('the second factor, without a password'),
    answer('the second factor', 200, async () => (await openSecondFactor(service, holder)).page),
    answer('the second factor, after a wrong recovery code', 401, async () =>
      enterCode(service, await openSecondFactor(service, holder), 'x'),
    ),
    page(user, securityHome)('security'),
    page(holderCookie, securityHome)('security, with a passkey'),
    page(undefined, securityHome, 303)('security, signed out'),
    page(holderCookie, `${securityHome}/passkeys/new`)('a new passkey'),
    // Personal tokens.
    page(user, '/settings/tokens')('personal tokens'),
    page(undefined, '/settings/tokens', 303)('personal tokens, signed out'),
    page(user, '/settings/tokens/new')('a new personal token'),
    answer('a new personal token with faults', 400, () =>
      postOwnForm(service, '/settings/tokens/new', {}, user),
    ),
    answer('a new passkey, which is none', 400, () =>
      postOwnForm(service, `${securityHome}/passkeys/new`, {}, holderCookie),
    ),
    answer('new recovery codes', 200, () =>
      postOwnForm(service, `${securityHome}/recovery-codes`, {}, holderCookie),
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
    // Booking pages.
    page(undefined, `/${host.username}`)('the event types of a person'),
    page(undefined, talk)('a booking page'),
    page(undefined, turns.path)('a booking page of a team'),
    page(owner.cookie, `/settings/event-types/${turns.id}/hosts`)('the hosts of an event type'),
    page(user, `${talk}?month=2031-01`)('a booking page, signed in'),
    page(undefined, `${talk}?slot=${inBerlin(nextDate(), '10:00')}`)('the form of a slot'),
    page(undefined, `${talk}?slot=${slot}`)('a slot that is taken'),
    page(undefined, `/${host.username}/nowhere`, 404)('no such event type'),
    page(undefined, `${talk}/`, 301)('a booking page, with a slash too many'),
    answer('a booking with faults', 400, () => postForm(service, talk, { slot })),
    answer('a booking of a team with faults', 400, () => postForm(service, turns.path, { slot })),
    answer('a booking of a slot that was taken', 409, () =>
      postForm(service, talk, { ...dana, slot, timeZone: 'Europe/Berlin' }),
    ),
    ...[
      page(undefined, ownBooking)('a booking'),
      page(undefined, `${ownBooking}/`, 301)('a booking, with a slash too many'),
      { ...page(undefined, meeting)('the way to a meeting'), leadsTo },
      page(undefined, `${ownBooking}/cancel`)('the question before a booking is cancelled'),
      page(undefined, `${ownBooking}/reschedule`)('another time for a booking'),
      page(
        undefined,
        `${ownBooking}/reschedule?slot=${inBerlin(nextDate(), '10:00')}`,
      )('the question before a move'),
      page(undefined, `${ownBooking}x`, 404)('a wrong proof'),
      answer('a move without a time', 400, () => postForm(service, `${ownBooking}/reschedule`, {})),
    ].map((one) => ({ ...one, ...reset })),
    page(hostCookie, '/bookings')('bookings'),
    page(user, '/bookings')('no bookings'),
    page(undefined, '/bookings', 303)('bookings, signed out'),
    // Event types, availability, calendars.
    page(hostCookie, '/settings/event-types')('event types'),
    page(user, '/settings/event-types')('no event types'),
    page(undefined, '/settings/event-types', 303)('event types, signed out'),
    page(user, '/settings/event-types/new')('a new event type'),
    page(user, '/settings/event-types/0', 404)('no such event type of one’s own'),
    page(owner.cookie, `/settings/event-types/new?team=${team.id}`)('a new event type of a team'),
    answer('an event type with faults', 400, () =>
      postOwnForm(service, '/settings/event-types/new', {}, user),
    ),
    ...['', '/questions', '/limits'].map((tab) =>
      page(hostCookie, `/settings/event-types/${talkId}${tab}`)(`an event type${tab}`),
    ),
    answer('limits of an event type with faults', 400, () =>
      postOwnForm(service, `/settings/event-types/${talkId}/limits`, { bookingWindow: 'x' }, hostCookie),
    ),
    answer('an event type with a new question', 200, () =>
      postOwnForm(service, `/settings/event-types/${talkId}/questions`, { add: 'question' }, hostCookie),
    ),
    page(user, '/settings/availability')('no schedules'),
    page(owner.cookie, '/settings/availability')('schedules'),
    page(user, '/settings/availability/new')('a new schedule'),
    answer('a schedule with faults', 400, () =>
      postOwnForm(service, '/settings/availability/new', { Monday: 'all day' }, user),
    ),
    page(user, '/settings/calendars')('no calendars'),
    page(filled.cookie, '/settings/calendars')('calendars, with a booking that couldn’t be written'),
    page(user, '/settings/calendars/ics')('a new calendar feed'),
    ...['google', 'outlook', 'icloud', 'fastmail'].map((provider) =>
      page(user, `/settings/calendars/${provider}`)(`a new calendar at ${provider}`),
    ),
    page(user, '/settings/calendars/caldav')('a new CalDAV account'),
    answer('a calendar with faults', 400, () => postOwnForm(service, '/settings/calendars/caldav', {}, user)),
    ...(filled.failing === '' ? [] : pagesOfWebhooks()),
    page(hostCookie, '/bookings/page', 303)("a host's own booking page"),
    page(user, '/bookings/page')('no booking page of one’s own'),
    page(hostCookie, hosted)('a hosted booking'),
    page(hostCookie, `${hosted}/cancel`)('the question before a host cancels'),
    page(hostCookie, `${hosted}/reschedule`)('another time for a hosted booking'),
    answer('a reason of a host that is too long', 400, () =>
      postOwnForm(service, `${hosted}/cancel`, { reason: '0'.repeat(501) }, hostCookie),
    ),
    answer('a move by a host without a time', 400, () =>
      postOwnForm(service, `${hosted}/reschedule`, {}, hostCookie),
    ),
    page(hostCookie, asked)('a request'),
    page(hostCookie, `${asked}/decline`)('the question before a host declines'),
    answer('a request that changed before it was declined', 409, async () => {
      const reason = 'I am ill';
      await postOwnForm(service, `${asked}/confirm`, {}, hostCookie);
      return postOwnForm(service, `${asked}/decline`, { reason }, hostCookie);
    }),
    page(user, hosted, 404)("another user's booking"),
  ];
  return pages.map((one) => ({ ...one, show: onlyOnce(one.show) }));
}

async function addClientsOfEachState(service: TestService, admin: string) {
  const { db } = service.database;
  const cookie = await startSession(service, await addUser(service));
  const { id: suspended } = await addClient(service);
  const rejected = registeredId(await register(service, cookie));
  const refused = registeredId(await register(service, cookie));
  await setClientStatus(db, refused, 'accepted');
  await submitEdit(service, refused, cookie, { name: 'Tidier Desk' });
  await reviewDecisions.suspend(service, suspended, admin);
  for (const id of [rejected, refused]) await reviewDecisions.reject(service, id, admin);
  await postOwnForm(service, `${developerHome}/${refused}/secrets`, newForm(), cookie);
  const deletedAt = service.clock.now();
  await db.update(clientSecrets).set({ deletedAt }).where(eq(clientSecrets.clientId, rejected));
  return { cookie, suspended, rejected, refused };
}

function onlyOnce<T>(act: () => Promise<T>): () => Promise<T> {
  let acted: Promise<T> | undefined;
  return () => {
    acted ??= act();
    return acted;
  };
}

/** Nothing sends it while its page is looked at. */
async function addFailingMessage({ database, clock }: TestService): Promise<string> {
  const id = randomUUID();
  const email = { recipient: 'ann@example.com', subject: 'Refused', text: 'Hello', html: '<p>Hello</p>' };
  const createdAt = clock.now();
  const dueAt = new Date(createdAt.getTime() + 7 * 86_400_000);
  const failing = { id, ...email, lastFailure: 'smtp 450', attempts: 3, createdAt, dueAt };
  await database.db.insert(outbox).values(failing);
  return id;
}
