import { callApi, represent } from '../support/api.ts';
import { requestOf } from '../support/authorization.ts';
import { basicOf } from '../support/basic.ts';
import { addEventType, bookOn, uidIn } from '../support/booking.ts';
import { setClientStatus } from '../support/client-status.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { addGroup, addInvitation, addMember } from '../support/groups.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { developerHome, register, registeredId, submitEdit } from '../support/registration.ts';
import type { TestService } from '../support/service.ts';
import { addClient, addUser, authorizePath, connect, signIn } from '../support/world.ts';

/** A person who is an admin and has one of everything, with the apps that act for them. */
export async function openSurfaceWorld(service: TestService) {
  const person = await addUser(service, { isAdmin: true });
  const cookie = await signIn(service, person);
  const { token } = await represent(service, { user: person });
  const platform = await addPlatformClient(service);
  await connect(service, platform, cookie);
  const client = await addClient(service);
  const own = registeredId(await register(service, cookie));
  const edited = registeredId(await register(service, cookie, { name: 'Second app' }));
  await setClientStatus(service.database.db, edited, 'accepted');
  await submitEdit(service, edited, cookie, { name: 'Second edition' });
  const team = await addGroup(service, 'team', person);
  await addMember(service, team, 'member');
  const organization = await addGroup(service, 'organization', person);
  await addInvitation(service, organization, person);
  const invitation = await addInvitation(service, team, person);
  const talk = await addEventType(service, person);
  const booking = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'));
  const reset = await obtainResetPath(service, (await addUser(service)).email);
  const managed = (await makeManagedUser(service, platform)).json().data.user;
  const hours = { name: 'Hours', timeZone: 'UTC', isDefault: true };
  const schedule = (await callApi(service, 'POST', '/schedules', { token, body: hours })).json().data;
  const hook = { subscriberUrl: 'https://127.0.0.1/hook', triggers: ['BOOKING_CREATED'] };
  const byApp = { headers: { authorization: basicOf(platform) } };
  const addWebhook = async (path: string, caller: Parameters<typeof callApi>[3]): Promise<string> =>
    (await callApi(service, 'POST', `${path}/webhooks`, { ...caller, body: hook })).json().data.id;
  const webhookIds = {
    own: await addWebhook('', { token }),
    team: await addWebhook(`/teams/${team.id}`, { token }),
    app: await addWebhook(`/oauth-clients/${platform.id}`, byApp),
  };
  const tested = await callApi(service, 'POST', `/webhooks/${webhookIds.own}/test`, { token });
  const consent = new URLSearchParams(requestOf(client, { state: 'x' })).toString();
  return {
    ...{ person, cookie, token, client, platform },
    /** The keys are names of path parameters; `id` is an event type's, or a schedule's. */
    ids: {
      teamId: String(team.id),
      organizationId: String(organization.id),
      uid: uidIn(booking),
      clientId: platform.id,
      userId: String(managed.id),
      deliveryId: String(tested.json().data.id),
    },
    webhookIds,
    eventTypeId: String(talk.id),
    scheduleId: String(schedule.id),
    /** From where a visitor, and the person, reach all other pages. */
    visitorPages: [
      ...['/signin', '/signup', '/forgot', reset, invitation.link, talk.path],
      `${talk.path}?slot=${inBerlin(nextDate(), '11:00')}&timeZone=Europe/Berlin`,
      ...['', '/cancel', '/reschedule', '/calendar.ics', '/calendar/google', '/calendar/outlook'].map(
        (end) => `${booking}${end}`,
      ),
      `${booking}/reschedule?slot=${inBerlin(nextDate(), '12:00')}&timeZone=Europe/Berlin`,
    ],
    ownPages: [
      ...['/', '/settings', developerHome, '/bookings', `/bookings/${uidIn(booking)}`, invitation.link],
      ...[
        '/settings/sessions',
        '/settings/teams',
        '/settings/webhooks',
        '/settings/admin/outbox',
        '/settings/admin/oauth',
      ],
      ...[`${developerHome}/${own}`, `${developerHome}/${edited}`, `${authorizePath}?${consent}`],
      ...[own, edited].map((id) => `/settings/admin/oauth/${id}`),
    ],
  };
}
