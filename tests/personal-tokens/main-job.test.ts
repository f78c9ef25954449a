import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { personalTokens } from '../../src/personal-tokens/tables.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { addPerson } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { mailTo, newRegistrationKey, postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();
const { db } = service.database;
const home = '/settings/tokens';

const open = (url: string, headers: Readonly<Record<string, string>>) => service.app.inject({ url, headers });
const call = (token: string, url = '/v2/me') => open(url, { authorization: `Bearer ${token}` });

/** Creates a token through the form; reads it where it is shown, once. */
async function createToken(session: string, changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const form = {
    form_key: newRegistrationKey(),
    name: 'Backup script',
    days: '90',
    access: 'full',
    ...changes,
  };
  const created = await postOwnForm(service, `${home}/new`, form, session);
  const shown = created.cookies.find(({ name }) => name.endsWith('latchkey_secret'));
  const page = await open(home, { cookie: `${session}; ${shown?.name}=${shown?.value}` });
  const [token = ''] = /lk_live_[0-9a-f]{48}/.exec(page.body) ?? [];
  expect(token).not.toBe('');
  return token;
}

test('a personal token is shown once, calls the API for its account, and is told by email and in the audit log (contract §5)', async () => {
  const { user, cookie } = await addPerson(service);

  const token = await createToken(cookie);
  const me = await call(token);
  const later = await open(home, { cookie });

  expect(me.json()).toMatchObject({ status: 'success', data: { email: user.email } });
  expect(later.body).not.toContain(token);
  expect(textOf(later.body)).toContain(`…${token.slice(-4)}`);
  expect(textOf(later.body)).toContain('Full access');
  const mail = await mailTo(service, user.email);
  expect(mail.map(({ subject }) => subject)).toEqual(['A personal token was created']);
  expect(mail.map(({ text, html }) => text + html).join('')).not.toContain(token);
  const events = await db.select().from(auditEvents).where(eq(auditEvents.userId, user.id));
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'personal_token.created', label: 'Backup script' }),
  );
  expect(service.logText()).not.toContain(token);
  expect(JSON.stringify(await db.select().from(personalTokens))).not.toContain(token);
});

test('a personal token of chosen permissions does nothing else (contract §5)', async () => {
  const token = await createToken((await addPerson(service)).cookie, {
    access: 'chosen',
    scopes: 'BOOKING_READ',
  });

  expect((await call(token, '/v2/bookings')).statusCode).toBe(200);
  const refused = await call(token, '/v2/schedules');
  expect(refused.statusCode).toBe(403);
  expect(refused.headers['www-authenticate']).toContain('insufficient_scope');
});
