import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { users } from '../../src/accounts/tables.ts';
import type { TestService } from './service.ts';

/** A page that only signed-in people see. */
export const ownPage = '/settings/developer/oauth';

/** What a new user types into the sign-up form, and their browser adds. Names are unique. */
export function signUpFields() {
  const random = randomBytes(6).toString('hex');
  return {
    email: `new-${random}@example.com`,
    name: `New ${random}`,
    password: 'four words of mine',
    time_zone: 'Europe/Berlin',
  };
}

/** The Cookie header of the session that an answer begins; empty when it begins none. */
export function cookieOf({ cookies }: LightMyRequestResponse): string {
  const session = cookies.find(({ name }) => name.endsWith('latchkey_session'));
  return session === undefined ? '' : `${session.name}=${session.value}`;
}

/** The Cookie header of all that an answer sets. */
export function allCookiesOf({ cookies }: LightMyRequestResponse): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

/** Whether a Cookie header belongs to a user who is signed in. */
export async function isSignedIn({ app }: TestService, cookie: string): Promise<boolean> {
  return (await app.inject({ url: ownPage, headers: { cookie } })).statusCode === 200;
}

export async function findAccountRow({ database }: TestService, email: string) {
  const [row] = await database.db.select().from(users).where(eq(users.email, email));
  return row;
}
