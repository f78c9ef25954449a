import type { LightMyRequestResponse } from 'fastify';
import type { Scope } from '../../src/oauth/core/scope.ts';
import type { TestService } from './service.ts';
import { issueCode } from './tokens.ts';
import { addClient, addUser, requestToken, type TestUser } from './world.ts';

/** A person whom an app acts for. */
export interface Represented {
  readonly user: TestUser;
  readonly token: string;
}

export type ApiMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface ApiCall {
  readonly token?: string | undefined;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** From where the call comes. */
  readonly remoteAddress?: string;
}

/** Lets an app act for a user, new unless given; `scopes` null is full access. */
export async function represent(
  service: TestService,
  options: {
    readonly user?: TestUser;
    readonly scopes?: readonly Scope[] | null;
    readonly teamSlug?: string;
  } = {},
): Promise<Represented> {
  const user = options.user ?? (await addUser(service));
  const client = await addClient(service, { scopes: options.scopes ?? null });
  const parameters = options.teamSlug === undefined ? {} : { parameters: { team_slug: options.teamSlug } };
  const exchanged = await requestToken(service, await issueCode(service, client, { user, ...parameters }));
  return { user, token: bodyOf(exchanged).access_token };
}

/** Calls the API of one service with a token and a body, or without. */
export const askOf =
  (service: TestService) => (method: ApiMethod, path: string, token?: string, body?: object) =>
    callApi(service, method, path, { token, ...(body && { body }) });

/** Calls the API below `/v2` as an app does. */
export async function callApi(
  { app }: TestService,
  method: ApiMethod,
  path: string,
  { token, body, headers = {}, remoteAddress = '127.0.0.1' }: ApiCall = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method,
    url: `/v2${path}`,
    remoteAddress,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
}

/** An answer that must have this status; its body. */
export function bodyOf(answer: LightMyRequestResponse, status = 200) {
  if (answer.statusCode !== status) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer.json();
}
