import { email } from '../../accounts/fields.ts';
import type { Person } from '../../accounts/person.ts';
import type { Platform } from '../../platform/platform.ts';
import { ok, type Result } from '../../result.ts';
import { type AuthorizationRequest, malformedValue } from '../core/authorization.ts';
import { type IdTokenHint, readIdTokenHint } from '../core/id-token-hint.ts';

/** An app asks for another account than the one that is signed in. Undefined is no address. */
export interface AskedFor {
  readonly email: string | undefined;
}

/** Undefined without a hint. One that can't be read, or is another client's, is for nobody. */
export async function readHint(
  { config: { appUrl: issuer }, keys }: Pick<Platform, 'config' | 'keys'>,
  clientId: string,
  { idTokenHint }: Pick<AuthorizationRequest, 'idTokenHint'>,
): Promise<Result<IdTokenHint | undefined, 'invalid_token'>> {
  // A malformed one is refused with other parameters that are.
  if (idTokenHint === undefined || idTokenHint === malformedValue) return ok(undefined);
  return readIdTokenHint(idTokenHint, { issuer, keys: keys.lookUpHint, clientId });
}

/** Nobody else may be signed in by the request (OpenID Connect Core, section 3.1.2.2). */
export function findRequired(
  hint: IdTokenHint | undefined,
  person: Pick<Person, 'id'> | undefined,
): AskedFor | undefined {
  if (hint === undefined || person === undefined) return undefined;
  return hint.userId === String(person.id) ? undefined : { email: hint.email }; // protects: C283
}

/** The app may guess, so the person decides, but on the page. */
export function findProposed(
  { loginHint }: Pick<AuthorizationRequest, 'loginHint'>,
  person: Pick<Person, 'id' | 'email'>,
): AskedFor | undefined {
  if (loginHint === undefined) return undefined;
  const { data: address } = email.safeParse(loginHint);
  const isTheirs = [person.email, String(person.id)].includes(address ?? loginHint); // protects: C341
  return isTheirs ? undefined : { email: address };
}
