import { randomInt } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { type Counted, counted, type DatabaseLimit, takeOne } from '../../src/platform/limits/store.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { networkOf } from '../../src/platform/networks.ts';
import type { TestService } from './service.ts';
import type { TestUser } from './world.ts';

/** From where a user signs in, and with what. */
export interface Place {
  readonly remoteAddress?: string;
  readonly userAgent?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the sign-in form from a place of its own. */
export async function signInFrom(
  service: TestService,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
  { remoteAddress = '127.0.0.1', userAgent = 'test', cookie = '', headers = {} }: Place = {},
): Promise<LightMyRequestResponse> {
  return service.app.inject({
    method: 'POST',
    url: '/signin',
    remoteAddress,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'user-agent': userAgent,
      cookie,
      ...headers,
    },
    payload: new URLSearchParams({ email, password }).toString(),
  });
}

/** Wrong passwords, one after the other; answers the statuses. */
export async function guess(
  service: TestService,
  { email }: Pick<TestUser, 'email'>,
  times: number,
  place: Place = {},
): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const answer = await signInFrom(service, { email, password: `guess ${index}` }, place);
    statuses.push(answer.statusCode);
  }
  return statuses;
}

/** Returns a list of the same status. */
export function times(count: number, status: number): number[] {
  return Array.from({ length: count }, () => status);
}

/** An address that no other test has used. */
export const newAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** Leaves so many attempts, as if all others had been made, without the work of making them. */
export async function useUp(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  limit: Counted,
  left = 0,
): Promise<void> {
  const isIts = and(eq(rateLimits.key, limit.key), gt(rateLimits.resetAt, clock.now()));
  const [{ count } = { count: 0 }] = await database.db.select().from(rateLimits).where(isIts);
  const amount = limit.max - count - left;
  if ((await takeOne(database.db, { ...limit, amount }, clock.now())) === undefined)
    throw new Error(`${limit.name} was reached before`);
}

/** Those from an address. */
export function fromAddress(name: DatabaseLimit, address: string): Counted {
  return counted(name, [networkOf(address)]);
}
