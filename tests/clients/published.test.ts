import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { callApi, represent } from '../support/api.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { addEventType } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { hostPath } from '../support/host-path.ts';
import { addPlatformClient } from '../support/platform.ts';
import { openTestSite } from '../support/site.ts';
import { type ReceivedEvent, startSubscriber } from '../support/subscriber.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { addUser } from '../support/world.ts';

/** Programs that are published for Cal.com, as they are, but for the one whose address is fixed. */
const n8n = 'n8n-nodes-base@2.41.2';
const packages = ['@calcom/cal-mcp@0.0.6', '@calcom/sdk@1.0.1', 'n8n-workflow@2.41.0'];

const run = promisify(execFile);
const service = await openTestSite();
const user = await addUser(service);
const { token } = await represent(service, { user });
const eventType = await addEventType(service, user);
const attendee = { name: 'Bob Jones', email: 'bob@example.com', timeZone: 'Europe/Rome' };
const nextSlot = (): string => inBerlin(nextDate(), '10:00');

const folder = await makeTemporaryDirectory(atTheEnd);
const modules = join(folder, 'node_modules');
const quiet = ['--loglevel=error', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
const npm = (...words: readonly string[]) =>
  run('npm', [...words, ...quiet], { cwd: folder, env: { ...process.env, PATH: hostPath } });
await writeFile(join(folder, 'package.json'), '{"private":true}');
await npm('install', ...packages);
// The node needs none of the package's hundreds of dependencies.
const { stdout } = await npm('pack', n8n);
await mkdir(join(modules, 'n8n-nodes-base'));
const parts = ['package/package.json', 'package/dist/nodes/Cal', 'package/dist/utils'];
const into = ['-C', join(modules, 'n8n-nodes-base'), '--strip-components=1'];
await run('tar', ['-xzf', stdout.trim(), ...into, ...parts], { cwd: folder });

interface N8nRequest {
  readonly baseURL: string;
  readonly url: string;
  readonly method: string;
  readonly qs?: object;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const load = createRequire(join(folder, 'x.js'));

/** What n8n gives a trigger node. */
function openTrigger(subscriberUrl: string, events: readonly string[], options: object) {
  const { CalTrigger } = load('n8n-nodes-base/dist/nodes/Cal/CalTrigger.node.js');
  const node = new CalTrigger().getNodeType();
  const kept: Record<string, unknown> = {};
  const requests: string[] = [];
  async function httpRequestWithAuthentication(
    _credential: string,
    { baseURL, url, method, qs = {}, body = {}, headers = {} }: N8nRequest,
  ) {
    const address = new URL(url, baseURL);
    for (const [name, value] of Object.entries(qs)) address.searchParams.set(name, String(value));
    // n8n sends no empty body.
    const hasBody = Object.keys(body).length > 0;
    const json = hasBody ? { 'content-type': 'application/json' } : {};
    const answer = await fetch(address, {
      method,
      headers: { ...headers, ...json, authorization: `Bearer ${token}` },
      ...(hasBody && { body: JSON.stringify(body) }),
    });
    requests.push(`${method} ${url} ${answer.status}`);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }
  const context = (received?: ReceivedEvent) => ({
    getCredentials: async () => ({ host: service.appUrl, apiKey: token }),
    getNode: () => ({ name: 'Cal.com Trigger' }),
    getNodeWebhookUrl: () => subscriberUrl,
    getWorkflowStaticData: () => kept,
    getNodeParameter: (name: string) => ({ events, options })[name],
    getRequestObject: () => ({
      body: JSON.parse(received?.text ?? '{}'),
      rawBody: received?.text,
      header: (name: string) => received?.headers[name],
    }),
    getResponseObject: () => ({ status: () => ({ send: () => ({ end() {} }) }) }),
    helpers: { httpRequestWithAuthentication, returnJsonArray: (one: unknown) => one },
  });
  const { checkExists, create, delete: remove } = node.webhookMethods.default;
  return {
    kept,
    requests,
    isThere: (): Promise<boolean> => checkExists.call(context()),
    create: (): Promise<boolean> => create.call(context()),
    remove: (): Promise<boolean> => remove.call(context()),
    listEventTypes: () => node.methods.loadOptions.getEventTypes.call(context()),
    receive: (event: ReceivedEvent) => node.webhook.call(context(event)),
  };
}

test.each([
  ['all event types', {}, '/v2/webhooks'],
  ['one event type', { eventTypeId: eventType.id }, `/v2/event-types/${eventType.id}/webhooks`],
])(
  'n8n’s trigger hears of a booking of %s, whose signature it checks, and leaves',
  async (_of, options, path) => {
    const subscriber = await startSubscriber();
    const trigger = openTrigger(subscriber.address(), ['BOOKING_CREATED'], options);

    expect(await trigger.listEventTypes()).toContainEqual({ name: expect.anything(), value: eventType.id });
    expect(await trigger.isThere()).toBe(false);
    expect(await trigger.create()).toBe(true);
    expect(await trigger.isThere()).toBe(true);
    // Found again, it has no secret any more; made again, it has.
    expect(await trigger.remove()).toBe(true);
    expect(await trigger.create()).toBe(true);
    const body = { eventTypeId: eventType.id, start: nextSlot(), attendee };
    const booked = await callApi(service, 'POST', '/bookings', { token, body });
    await expect.poll(() => subscriber.events).toHaveLength(1);
    const [event] = subscriber.events;
    if (event === undefined) throw new Error('nothing came');
    const heard = await trigger.receive(event);
    const forged = await trigger.receive({ ...event, headers: { 'x-cal-signature-256': '0'.repeat(64) } });

    expect(heard.workflowData[0]).toMatchObject({
      triggerEvent: 'BOOKING_CREATED',
      uid: booked.json().data.uid,
    });
    expect(forged).toEqual({ noWebhookResponse: true });
    expect(await trigger.remove()).toBe(true);
    expect(trigger.requests).toEqual([
      'GET /v2/event-types 200',
      `GET ${path} 200`,
      `POST ${path} 201`,
      `GET ${path} 200`,
      expect.stringMatching(`^DELETE ${path}/.+ 200$`),
      `POST ${path} 201`,
      expect.stringMatching(`^DELETE ${path}/.+ 200$`),
    ]);
  },
);

test('Cal.com’s MCP server lists, reads and deletes event types, books and lists bookings; it sends no token for the rest', {
  timeout: 60_000,
}, async () => {
  const dist = join(modules, '@calcom/cal-mcp/dist');
  const fixed = await readFile(join(dist, 'tools.js'), 'utf8');
  await writeFile(join(dist, 'tools.js'), fixed.replaceAll('https://api.cal.com', service.appUrl));
  const client = new Client({ name: 'test', version: '1' });
  const env = { PATH: hostPath, CAL_API_KEY: `Bearer ${token}` };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [join(dist, 'index.js')], env }),
  );
  onTestFinished(() => client.close());
  const call = async (name: string, params: object, body?: object) => {
    const given = { params, ...(body && { body }) };
    const { content } = await client.callTool({ name, arguments: given });
    const [first] = content;
    return JSON.parse(first?.type === 'text' ? first.text : '{}');
  };
  const { id } = eventType;

  const types = await call('getEventTypes', { username: user.username });
  const read = await call('getEventTypeById', { eventTypeId: String(id) });
  const body = { eventTypeId: id, start: nextSlot(), attendee: { ...attendee, language: 'en' } };
  const booked = await call('createBooking', {}, body);
  const { uid: bookingUid } = booked.data;
  const bookings = await call('getBookings', {});
  const refused = [
    await call('getBooking', { bookingUid }),
    await call('rescheduleBooking', { bookingUid }, { start: nextSlot() }),
    await call('cancelBooking', { bookingUid }, { cancellationReason: 'Ill' }),
  ];
  const deleted = await call('deleteEventType', { eventTypeId: id });

  expect([types, read, booked, bookings, deleted].map(({ status }) => status)).toEqual(
    Array.from({ length: 5 }, () => 'success'),
  );
  expect([types.data[0].id, read.data.id]).toEqual([id, id]);
  // A uid is in calendars and logs, so that it's no proof (docs/cal-com.md).
  expect(refused.map(({ error }) => error.code)).toEqual(Array.from({ length: 3 }, () => 'Unauthorized'));
});

test('Cal.com’s SDK manages schedules, lists slots, and makes and lists managed users', async () => {
  const { Cal } = load('@calcom/sdk');
  const { id: clientId, secret: clientSecret } = await addPlatformClient(service);
  const access = { clientSecret, accessToken: token };
  const sdk = new Cal(clientId, access, { baseUrl: `${service.appUrl}/`, httpRetries: { maxAmount: 0 } });
  const { id: eventTypeId } = await addEventType(service, user);
  const [startTime, day] = [nextSlot(), nextDate()];
  const endTime = new Date(Date.parse(startTime) + 30 * 60_000).toISOString();
  const outcomes: Record<string, unknown> = {};
  const attempt = async (name: string, act: () => Promise<any>) => {
    const answer = await act().catch((error: { statusCode?: number }) => error);
    outcomes[name] = answer?.statusCode ?? 'done';
    return answer;
  };
  const hours = { name: 'Hours', timeZone: 'Europe/Rome', isDefault: true };

  const { id } = await attempt('schedules.createSchedule', () => sdk.schedules.createSchedule(hours));
  await attempt('schedules.getSchedules', () => sdk.schedules.getSchedules());
  await attempt('schedules.getDefaultSchedule', () => sdk.schedules.getDefaultSchedule());
  await attempt('schedules.getScheduleById', () => sdk.schedules.getScheduleById({ id }));
  await attempt('schedules.updateSchedule', () => sdk.schedules.updateSchedule(id, { name: 'Others' }));
  await attempt('schedules.getSupportedTimezones', () => sdk.schedules.getSupportedTimezones());
  await attempt('eventTypes.getEventType', () => sdk.eventTypes.getEventType({ id: eventTypeId }));
  const [length, title] = [30, 'A talk'];
  const older = { length, title, slug: 'a-talk' };
  await attempt('eventTypes.createEventType', () => sdk.eventTypes.createEventType(older));
  const range = { eventTypeId, startTime: day, endTime: day };
  await attempt('slots.getAvailableSlots', () => sdk.slots.getAvailableSlots(range));
  const slot = { eventTypeId, slotUtcStartDate: startTime, slotUtcEndDate: endTime };
  await attempt('slots.reserveSlot', () => sdk.slots.reserveSlot(slot));
  await attempt('slots.removeSelectedSlot', () => sdk.slots.removeSelectedSlot({ uid: 'x' }));
  await attempt('schedules.deleteSchedule', () => sdk.schedules.deleteSchedule(id));
  const person = { email: 'carol@example.com', name: 'Carol' };
  const { user: made } = await attempt('users.createManagedUser', () => sdk.users.createManagedUser(person));
  await attempt('users.getManagedUser', () => sdk.users.getManagedUser(made.id));
  await attempt('users.getManagedUsers', () => sdk.users.getManagedUsers());
  await attempt('oauth.exchange', () => sdk.oauth.exchange({ authorizationCode: 'x' }));
  await attempt('events.getPublicEvent', () =>
    sdk.events.getPublicEvent({ username: 'ann', eventSlug: 'x' }),
  );

  const isDone = ([, outcome]: [string, unknown]) => outcome === 'done';
  expect(Object.entries(outcomes).filter(isDone)).toHaveLength(11);
  expect(Object.fromEntries(Object.entries(outcomes).filter((one) => !isDone(one)))).toEqual({
    'schedules.getSupportedTimezones': 401,
    'eventTypes.createEventType': 400,
    'slots.reserveSlot': 404,
    'slots.removeSelectedSlot': 404,
    'oauth.exchange': 404,
    'events.getPublicEvent': 404,
  });
});
