import { expect, test } from 'vitest';
import { addOnPage, createAuthenticator } from '../support/authenticator.ts';
import { addEventType } from '../support/booking.ts';
import { setClientStatus } from '../support/client-status.ts';
import { addFilledSettings } from '../support/filled-settings.ts';
import { addGroup, addInvitation, addMember, openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { makePng, uploadLogo } from '../support/pictures.ts';
import { developerHome, postOwnForm, register, registeredId, submitEdit } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, hiddenFieldsOf, signIn } from '../support/world.ts';

const service = await openTestService();
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

/** The page, its button, where it leads back, and where what it deletes is listed. */
const deletions = [
  ['an event type', own, async () => `/settings/event-types/${eventType.id}`, '/delete', 'Delete event type'],
  [
    'a schedule',
    own,
    async () => `/settings/availability/${await scheduleOf()}`,
    '/delete',
    'Delete schedule',
  ],
  ['a webhook', cookie, async () => failing, '/delete', 'Delete webhook'],
  [
    'a calendar',
    cookie,
    async () => `/settings/calendars/${await calendarOf()}`,
    '/disconnect',
    'Disconnect calendar',
  ],
  ['recovery codes', passkeyHolder, async () => '/settings/security', '/recovery-codes', 'Create new codes'],
  [
    'a passkey',
    passkeyHolder,
    async () => `/settings/security/passkeys/${await passkeyOf()}`,
    '/remove',
    'Remove passkey',
  ],
  ['a logo', own, async () => `${developerHome}/${app}/logo`, '/remove', 'Remove logo'],
  ['changes in review', own, async () => `${developerHome}/${edited}/edit`, '/withdraw', 'Withdraw changes'],
  [
    'an invitation',
    own,
    async () => `${team.path}/invitations/${invitation.id}`,
    '/withdraw',
    'Withdraw invitation',
  ],
  ['a member', own, async () => `${team.path}/members/${member.id}`, '/remove', 'Remove member'],
  ['a team that one leaves', leaving, async () => team.path, '/leave', 'Leave team'],
] as const;

test.each(deletions)(
  '%s is deleted by a page of its own, without JavaScript (security C273)',
  async (_name, session, placeOf, action, button) => {
    const place = await placeOf();
    const path = `${place}${action}`;
    const asked = await openAs(service, path, session);
    const again = await openAs(service, path, session);
    const [, form = ''] =
      new RegExp(`<form class="card danger-zone" method="post" action="${path}">(.*?)</form>`, 's').exec(
        asked.body,
      ) ?? [];
    const [, back = ''] = /<a class="button plain" href="([^"]+)">Cancel<\/a>/.exec(form) ?? [];

    expect([asked.statusCode, again.statusCode]).toEqual([200, 200]);
    expect(textOf(form)).toContain(button);
    expect(form).not.toContain('autofocus');
    const { body } = await openAs(service, back, session);
    expect(body).toContain(`href="${path}"`);
    expect(body).not.toContain(`action="${path}"`);

    const done = await postOwnForm(service, path, hiddenFieldsOf(form), session);

    expect([200, 303]).toContain(done.statusCode);
    if (button !== 'Create new codes' && button !== 'Remove logo')
      expect((await openAs(service, path, session)).statusCode).not.toBe(200);
  },
);
