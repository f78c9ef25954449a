import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { personName } from '../../src/accounts/fields.ts';
import { renderEmail } from '../../src/platform/mail/email.ts';
import { line } from '../../src/v2/input.ts';
import { lineOf } from '../../src/web/forms.ts';
import { callApi, represent } from '../support/api.ts';
import { faultOf } from '../support/page-content.ts';
import { postOwnForm, register } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await sharedService();
const turned = 'Ann \u202Egnp.exe';
const turning = ['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'];
const direction = 'Remove characters that change the text direction.';

describe('one rule for every line that people and apps enter (security C222)', () => {
  test.each([
    ['pages', lineOf(80, 'Enter a name.')],
    ['the API', line(80)],
    ['names of people', personName],
  ])('in %s nothing turns the text around it, breaks the line or is invisible', (_name, schema) => {
    const faultsOf = (text: string) => schema.safeParse(text).error?.issues.map(({ message }) => message);

    for (const one of turning) expect(faultsOf(`Ann${one}Berg`)).toEqual([direction]);
    for (const one of ['\n', '\0', '\u2028', '\ud800'])
      expect(faultsOf(`Ann${one}Berg`)).toEqual(['Line breaks and control characters aren’t allowed.']);
    expect(faultsOf('\u200b\u3164')).toEqual(['Use visible characters.']);
    for (const name of ['משה \u200f', 'محمد', '👩‍👩‍👧', 'Zoë'])
      expect(z.string().safeParse(schema.parse(name)).success).toBe(true);
  });

  test('forms and operations of every kind refuse it', { tags: 'parts' }, async () => {
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    const { token } = await represent(service);
    const profile = { username: '', time_zone: 'UTC', week_start: 'Monday', time_format: '24' };
    const pages = [
      await postOwnForm(service, '/settings/profile', { ...profile, name: turned }, cookie),
      await postOwnForm(service, '/settings/teams/new', { name: turned, slug: 'turned' }, cookie),
      await register(service, cookie, { name: turned }),
    ];
    const api = [
      await callApi(service, 'PATCH', '/me', { token, body: { name: turned } }),
      await callApi(service, 'POST', '/event-types', {
        token,
        body: { title: turned, slug: 'turned', lengthInMinutes: 30 },
      }),
      await callApi(service, 'POST', '/event-types', {
        token,
        body: {
          ...{ title: 'Talk', slug: 'turned', lengthInMinutes: 30 },
          locations: [{ type: 'address', address: turned, public: true }],
        },
      }),
      await callApi(service, 'POST', '/schedules', {
        token,
        body: { name: turned, timeZone: 'UTC', isDefault: false },
      }),
    ];

    for (const page of pages) expect([page.statusCode, faultOf(page, 'name')]).toEqual([400, direction]);
    for (const { statusCode, body } of api)
      expect([statusCode, body.includes(direction)]).toEqual([400, true]);
  });

  test('a subject with a name from before isn’t turned around', () => {
    const email = { subject: `Booked: ${turned}`, text: ['Hello'] };

    const { subject } = renderEmail(email, 'dana@example.com', service.app);

    expect(subject).toBe('Booked: Ann gnp.exe');
  });
});
