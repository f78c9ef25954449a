import type { ApiDocument } from '../../src/api/openapi/document.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { callApi, represent } from '../support/api.ts';
import { basicOf } from '../support/basic.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { startCaldavServer } from '../support/caldav-server.ts';
import { contentTypeOf, isOfRfc, type ListedOperation, listOperations } from '../support/document.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { addOrganization, addPlatformClient, joinOrganization } from '../support/platform.ts';
import type { TestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { issueTokens, refreshFields } from '../support/tokens.ts';

const feeds = await startFeedServer();
const feed = feeds.serve('/feed.ics', answerIcs(icsOf(['DTSTART:20300603T070000Z', 'DURATION:PT1H'])));
const caldav = (await startCaldavServer()).url();
const hook = feeds.serve('/hook', (_request, response) => void response.writeHead(200).end());

/** What makes the rows that are not made by a POST to the path that lists them. */
const makers = [
  ['/calendars', '/calendars/ics-feed/save'],
  ['/deliveries', '/test'],
] as const;

let counted = 0;
const count = (): number => {
  counted += 1;
  return counted;
};

/**
 * A person and an app with all that an operation needs, new for each operation, so that none uses up another's limits: rows are made by
 * the API itself, of the examples of its bodies, when a path first names them.
 */
export async function openRows(service: TestService, document: ApiDocument, listed: ListedOperation) {
  const { path, operation } = listed;
  const operations = listOperations(document);
  const { operationId } = operation;
  const owner = await represent(service);
  // Full access doesn't say who the user is.
  const signedIn = operationId.endsWith('Userinfo')
    ? await represent(service, { user: owner.user, scopes: ['openid', 'profile', 'email'] })
    : owner;
  const colleague = await represent(service);
  const team = await addTeam(service, owner.user);
  await joinTeam(service, team, colleague.user, 'member');
  const app = await addPlatformClient(service);
  const tokens = isOfRfc(listed) ? await issueTokens(service, app) : undefined;
  const organization = path.includes('/organizations/')
    ? await addOrganization(service, { isPlatform: false })
    : undefined;
  if (organization !== undefined) await joinOrganization(service, owner.user.id, organization.id, 'owner');
  let refreshToken = tokens?.refresh_token;
  const hosts = [owner.user, colleague.user];
  const eventType = /^(confirm|decline)/.test(operationId)
    ? await addEventType(service, owner.user, { requiresConfirmation: true })
    : await addTeamEventType(service, team, hosts);

  let externalId: string | undefined;
  let slots = 0;
  /** Half hours from nine on, on Mondays, in Berlin. */
  function nextSlot(): string {
    const day = Date.parse('2031-06-02T07:00:00Z') + Math.floor(slots / 10) * 7 * 86_400_000;
    const slot = new Date(day + (slots % 10) * 1_800_000);
    slots += 1;
    return slot.toISOString();
  }

  /** What an example can't know: what must be new, and what there is. */
  const right: Readonly<Record<string, () => unknown>> = {
    slug: () => `slug-${count()}`,
    email: () => `person-${count()}@example.com`,
    start: nextSlot,
    slotStart: nextSlot,
    subscriberUrl: () => hook,
    urls: () => [feed],
    url: () => caldav,
    externalId: () => externalId,
    eventTypeId: () => eventType.id,
    userId: () => owner.user.id,
    client_id: () => app.id,
    client_secret: () => app.secret,
    token: () => refreshToken,
  };

  /** The ids of what no operation makes. */
  const fixed: Readonly<Record<string, () => unknown>> = {
    eventTypeId: () => eventType.id,
    teamId: () => team.id,
    clientId: () => app.id,
    organizationId: () => organization?.id,
    ...(path.includes('/reassign/') ? { userId: () => hosts[count() % 2]?.id } : {}),
    ...(path.endsWith('/check') ? { calendar: () => 'ics-feed' } : {}),
    ...(path.endsWith('/credentials') ? { calendar: () => 'caldav' } : {}),
  };

  /** The example of an operation's body, with right values; undefined without one. */
  function bodyOf(listed: ListedOperation): unknown {
    const { operationId: id, requestBody } = listed.operation;
    const example = requestBody?.content[contentTypeOf(listed)]?.example;
    if (example === undefined) return undefined;
    if (id === 'requestTokens') return refreshFields(app, refreshToken ?? '');
    return JSON.parse(JSON.stringify(example), (name, value: unknown) => right[name]?.() ?? value);
  }

  const rows = new Map<string, string>();
  let bookingToken: string | undefined;

  async function make(maker: ListedOperation, url: string): Promise<string> {
    const body = bodyOf(maker);
    const answer = await service.app.inject({
      method: 'POST',
      url,
      remoteAddress: anyAddress(),
      // Who hosts a booking isn't given its token.
      headers: {
        ...(url === '/v2/bookings' ? {} : credentialsOf(maker)),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.body}`);
    const { data } = answer.json();
    bookingToken = data.bookingToken;
    return String(data.reservationUid ?? data.uid ?? data.user?.id ?? data.id);
  }

  /** The id of a row that is there, for the last parameter of a path: in a list that is there, too. */
  async function rowAt(pattern: string, list: string): Promise<string> {
    const known = rows.get(list);
    if (known !== undefined) return known;
    const listPattern = pattern.slice(0, pattern.lastIndexOf('/'));
    const making = makers.find(([ending]) => listPattern.endsWith(ending));
    const replaced = (path: string): string =>
      making === undefined ? path : `${path.slice(0, -making[0].length)}${making[1]}`;
    const maker = operations.find((it) => it.method === 'post' && it.path === replaced(listPattern));
    const name = /\{(\w+)\}$/.exec(pattern)?.[1] ?? '';
    const id =
      maker === undefined || name in fixed
        ? String(fixed[name]?.() ?? 'none')
        : await make(maker, replaced(list));
    if (!(name in fixed)) rows.set(list, id);
    return id;
  }

  function credentialsOf(one: ListedOperation): Record<string, string> {
    if (isOfRfc(one)) return {};
    const isClients = one.operation.security.some((way) => 'clientBasic' in way);
    return { authorization: isClients ? basicOf(app) : `Bearer ${signedIn.token}` };
  }

  const isDefault = { name: 'Hours', timeZone: 'UTC', isDefault: true };
  if (operationId === 'getDefaultSchedule')
    await callApi(service, 'POST', '/schedules', { token: owner.token, body: isDefault });
  if (operationId === 'updateDestinationCalendar') {
    const { token } = owner;
    const body = { url: caldav, username: 'ann', password: 'right' };
    await callApi(service, 'POST', '/calendars/caldav/credentials', { token, body });
    const { data } = (await callApi(service, 'GET', '/calendars', { token })).json();
    externalId = data.connectedCalendars[0].calendars[0].externalId;
  }
  if (path.endsWith('/check'))
    await callApi(service, 'POST', '/calendars/ics-feed/save', {
      token: owner.token,
      body: { urls: [feed] },
    });
  return {
    bodyOf,
    rowAt,
    /** The colleague is a member of the team who manages nothing. */
    colleagueToken: colleague.token,
    /** Ids of what a query can be about. */
    fixed,
    credentialsOf,
    /** The token of the booking that was made last. */
    bookingTokenOf: () => bookingToken,
    useRefreshToken(next: string): void {
      refreshToken = next;
    },
    /** The rows may have ended: the next ones are made anew. */
    forget: () => rows.clear(),
  };
}
