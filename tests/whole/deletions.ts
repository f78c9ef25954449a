import { randomUUID } from 'node:crypto';
import { outbox } from '../../src/platform/mail/tables.ts';
import { addOnPage, createAuthenticator } from '../support/authenticator.ts';
import { addEventType } from '../support/booking.ts';
import { setClientStatus } from '../support/client-status.ts';
import { addGroup, addInvitation, addMember, openAs } from '../support/groups.ts';
import { makePng, uploadLogo } from '../support/pictures.ts';
import { addOrganization, joinOrganization, makeManagedUser } from '../support/platform.ts';
import {
  developerHome,
  newRegistrationKey,
  postOwnForm,
  register,
  registeredId,
  submitEdit,
} from '../support/registration.ts';
import type { TestService } from '../support/service.ts';
import { addClient, addUser, signIn } from '../support/world.ts';
import type { ShownPage } from './every-page.ts';
import { addFilledSettings } from './filled-settings.ts';

/** What pages delete: whose session sees it, where it is, the deletion's own path, and its button. */
export async function listDeletions(service: TestService) {
  const { cookie, failing } = await addFilledSettings(service);
  const user = await addUser(service);
  const own = await signIn(service, user);
  const team = await addGroup(service, 'team', user);
  const { user: member } = await addMember(service, team, 'member');
  const { cookie: leaving } = await addMember(service, team, 'member');
  const invitation = await addInvitation(service, team, user);
  const eventType = await addEventType(service, user);
  await postOwnForm(service, '/settings/availability/new', { name: 'Summer', timeZone: 'UTC' }, own);
  const scheduleOf = async () =>
    /availability\/(\d+)/.exec((await openAs(service, '/settings/availability', own)).body)?.[1];
  const calendarOf = async () =>
    /calendars\/(\d+)\/disconnect/.exec((await openAs(service, '/settings/calendars', cookie)).body)?.[1];
  const passkeyHolder = await signIn(service, await addUser(service));
  await addOnPage(service, passkeyHolder, createAuthenticator(service));
  const passkeyOf = async () =>
    /passkeys\/(?!new)([\w-]+)/.exec((await openAs(service, '/settings/security', passkeyHolder)).body)?.[1];
  const app = registeredId(await register(service, own));
  await uploadLogo(service, app, own, makePng(64, 64));
  const edited = registeredId(await register(service, own));
  await setClientStatus(service.database.db, edited, 'accepted');
  await submitEdit(service, edited, own, { name: 'Tidier Desk' });
  const script = { form_key: newRegistrationKey(), name: 'Backup', days: '30', access: 'full' };
  await postOwnForm(service, '/settings/tokens/new', script, own);
  const tokenOf = async () =>
    /tokens\/([\w-]{36})/.exec((await openAs(service, '/settings/tokens', own)).body)?.[1];
  const platform = await addOrganization(service);
  await joinOrganization(service, user.id, platform.id, 'owner');
  const maker = await addClient(service);
  await joinOrganization(service, maker.ownerId, platform.id, 'admin');
  await makeManagedUser(service, maker);
  const admin = await signIn(service, await addUser(service, { isAdmin: true }));

  const email = { recipient: 'ann@example.com', subject: 'Refused', text: 'Hello', html: '<p>Hello</p>' };
  const id = randomUUID();
  const failed = { lastFailure: 'smtp 550', attempts: 7, createdAt: service.clock.now() };
  await service.database.db.insert(outbox).values({ id, ...email, ...failed });

  const [schedule, calendar] = [await scheduleOf(), await calendarOf()];
  const [passkey, token] = [await passkeyOf(), await tokenOf()];
  const invited = `${team.path}/invitations/${invitation.id}`;
  const endUsers = `/managed-users/end?client_id=${maker.id}`;
  return [
    ['an event type', own, `/settings/event-types/${eventType.id}`, '/delete', 'Delete event type'],
    ['a schedule', own, `/settings/availability/${schedule}`, '/delete', 'Delete schedule'],
    ['a webhook', cookie, failing, '/delete', 'Delete webhook'],
    ['a calendar', cookie, `/settings/calendars/${calendar}`, '/disconnect', 'Disconnect calendar'],
    ['recovery codes', passkeyHolder, '/settings/security', '/recovery-codes', 'Create new codes'],
    ['a passkey', passkeyHolder, `/settings/security/passkeys/${passkey}`, '/remove', 'Remove passkey'],
    ['a logo', own, `${developerHome}/${app}/logo`, '/remove', 'Remove logo'],
    ['changes in review', own, `${developerHome}/${edited}/edit`, '/withdraw', 'Withdraw changes'],
    ['an invitation', own, invited, '/withdraw', 'Withdraw invitation'],
    ['a member', own, `${team.path}/members/${member.id}`, '/remove', 'Remove member'],
    ['a team that one leaves', leaving, team.path, '/leave', 'Leave team'],
    ['a personal token', own, `/settings/tokens/${token}`, '/delete', 'Delete token'],
    ['managed users', own, `/settings/organization/${platform.id}`, endUsers, 'Delete users'],
    ['waiting emails', admin, '/settings/admin/outbox', '/discard', 'Discard waiting emails'],
  ] as const;
}

/** The pages that ask before something is deleted. */
export async function listDeletionPages(service: TestService): Promise<readonly ShownPage[]> {
  const deletions = await listDeletions(service);
  return deletions.map(([name, cookie, place, action]) => ({
    name: `the page that deletes ${name}`,
    status: 200,
    show: () => openAs(service, `${place}${action}`, cookie),
  }));
}
