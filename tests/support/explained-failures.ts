import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { addOwnedClient, readFailures } from './failures.ts';
import type { TestService } from './service.ts';
import { issueCode } from './tokens.ts';
import { type ClientOptions, requestToken, signIn, type TestClient } from './world.ts';

/** Sends a request that fails; answers what came. */
export type Fail = (service: TestService, client: TestClient) => Promise<LightMyRequestResponse>;

/** A request that fails, its answer's description, and what its client's owner is told. */
export interface ExplainedFailure {
  readonly name: string;
  readonly options?: ClientOptions;
  readonly fail: Fail;
  readonly error: string;
  readonly wrong: RegExp;
  readonly toDo: RegExp;
}

/** An exchange with some of its fields changed; an empty one counts as absent. */
export function exchange(
  changes: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Fail {
  return async (service, client) =>
    requestToken(service, { ...(await issueCode(service, client)), ...changes }, { headers: { ...headers } });
}

/** Fails as the row has it, and reads of it as the client's owner. */
export async function expectExplained(
  service: TestService,
  { options = {}, fail, error, wrong, toDo }: ExplainedFailure,
  type: ClientType = 'confidential',
): Promise<void> {
  const owned = await addOwnedClient(service, { ...options, type });

  const answer = await fail(service, owned.client);

  const read = await readFailures(service, { ...owned, cookie: await signIn(service, owned.owner) });
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(answer.json().error_description).toContain(error);
  expect(read.find(({ requestId }) => requestId === answer.headers['x-request-id'])).toMatchObject({
    error: answer.json().error,
    answer: `${answer.statusCode}: ${answer.json().error_description}`,
    wrong: expect.stringMatching(wrong),
    toDo: expect.stringMatching(toDo),
  });
}
