import { expect, test } from 'vitest';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService({ APP_URL: 'https://latchkey.example' });
const { token } = await represent(service);
const development = await openTestService();
const triggers = ['BOOKING_CREATED'];
const refused = { subscriberUrl: expect.stringContaining('on the public internet') };

async function send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}) {
  return callApi(service, method, `/webhooks${path}`, { token, body });
}

test.each([
  ...['https://localhost/x', 'https://hooks.LOCALHOST./x', 'https://127.0.0.1/x', 'http://127.0.0.1/x'],
  ...['https://10.0.0.1/', 'https://192.168.1.5:8443/', 'https://169.254.169.254/', 'https://2130706433/'],
  ...['https://[::1]/', 'https://[::ffff:10.0.0.1]/', 'https://[fd00::1]/'],
])('no webhook is created or changed for %s (contract §8, security C43)', async (subscriberUrl) => {
  expect(bodyOf(await send('POST', '', { subscriberUrl, triggers }), 400).error.details).toEqual(refused);

  const made = await send('POST', '', { subscriberUrl: 'https://1.1.1.1/', triggers });
  const { id } = bodyOf(made, 201).data;
  expect(bodyOf(await send('PATCH', `/${id}`, { subscriberUrl }), 400).error.details).toEqual(refused);
  bodyOf(await send('DELETE', `/${id}`));
});

test('where Latchkey is served over plain http, its own machine may have webhooks (contract §8)', async () => {
  const ann = await represent(development);
  const create = (subscriberUrl: string) =>
    callApi(development, 'POST', '/webhooks', { token: ann.token, body: { subscriberUrl, triggers } });

  for (const address of ['https://localhost/', 'http://127.0.0.1:1/']) bodyOf(await create(address), 201);
  expect(bodyOf(await create('http://10.0.0.1/'), 400).error.details).toEqual(refused);
});
