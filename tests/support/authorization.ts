import type { LightMyRequestResponse } from 'fastify';
import type { TestService } from './service.ts';
import {
  authorizePath,
  createPkce,
  hiddenFieldsOf,
  openAuthorizePage,
  postForm,
  type TestClient,
} from './world.ts';

/** The parameters of an authorization request, or the fields of the page's form. */
export type AuthorizationFields = Readonly<Record<string, string>>;

/** A right request of the client's, with PKCE for a public one; `changes` to an empty text leave a parameter out. */
export function requestOf(client: TestClient, changes: AuthorizationFields = {}): AuthorizationFields {
  const challenge: Record<string, string> =
    client.type === 'public' ? { code_challenge: createPkce().challenge } : {};
  const isSignIn = changes['scope']?.split(' ').includes('openid') === true;
  const type: Record<string, string> = isSignIn ? { response_type: 'code' } : {};
  const fields = {
    client_id: client.id,
    redirect_uri: client.redirectUri,
    ...type,
    ...challenge,
    ...changes,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** Opens the page for the request; answers the fields of the form that decides. */
export async function openDecision(
  service: TestService,
  request: AuthorizationFields,
  cookie: string,
): Promise<AuthorizationFields> {
  const page = await openAuthorizePage(service, request, cookie);
  if (page.statusCode !== 200) throw new Error(`the page answered ${page.statusCode}`);
  return decisionFormOf(page.body);
}

/** The fields of the page's own form, without those of the form that signs out. */
export function decisionFormOf(html: string): AuthorizationFields {
  const [, form = ''] =
    new RegExp(`<form method="post" action="${authorizePath}"[^>]*>(.*?)</form>`, 's').exec(html) ?? [];
  return hiddenFieldsOf(form);
}

/** Sends the page's form with one of its buttons. */
export async function decide(
  service: TestService,
  form: AuthorizationFields,
  action: 'allow' | 'deny',
  cookie: string,
): Promise<LightMyRequestResponse> {
  return postForm(service, authorizePath, { ...form, action }, cookie);
}

/** Where an answer sends the browser: the address without its query, and every parameter in order. */
export function redirectOf({ headers }: LightMyRequestResponse): {
  readonly address: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
} {
  const [address = '', query = ''] = String(headers.location ?? '').split('?', 2);
  return { address, parameters: [...new URLSearchParams(query)] };
}

/** The code that an answer brings; undefined when there is none. */
export function codeOf(answer: LightMyRequestResponse): string | undefined {
  return redirectOf(answer).parameters.find(([name]) => name === 'code')?.[1];
}
