import { ok, type Result, refuse } from '../../result.ts';

/** What a grant's access tokens may name in `aud`; null: our API alone. */
export type GrantedResources = readonly string[] | null;

/** First our API, then those that the operator lists (contract §1). */
export type KnownResources = readonly [api: string, ...others: string[]];

/** In one request. */
export const maxResources = 10;
/** In characters. */
export const resourceMaxLength = 2048;

/** At authorization (RFC 8707 §2.1): of a request that names none, our API alone. */
export function decideResources(
  requested: string | undefined,
  known: KnownResources,
): Result<GrantedResources, 'resource_refused'> {
  const names = namesOf(requested);
  return names.length === 0 ? ok(null) : choose(names, known, known[0]);
}

/**
 * At exchange and refresh (RFC 8707 §2.2): a part of what was granted; nothing asked for means all.
 * What the operator no longer lists isn't given any more.
 */
export function narrowResources(
  requested: string | undefined,
  granted: GrantedResources,
  known: KnownResources,
): Result<GrantedResources, 'resource_refused'> {
  const [api] = known;
  const held = (granted ?? [api]).filter((resource) => known.includes(resource));
  const names = namesOf(requested);
  return choose(names.length === 0 ? held : names, held, api);
}

/** Several are separated by spaces, which no URI contains. */
function namesOf(requested: string | undefined): readonly string[] {
  return (requested ?? '').split(' ').filter((name) => name !== '');
}

function choose(
  names: readonly string[],
  held: readonly string[],
  api: string,
): Result<GrantedResources, 'resource_refused'> {
  if (names.length > maxResources || names.some((name) => name.length > resourceMaxLength))
    return refuse('resource_refused');
  const meant = names.map((name) => held.find((resource) => isNameOf(name, resource, api)));
  const chosen = held.filter((resource) => meant.includes(resource));
  if (chosen.length === 0 || meant.includes(undefined)) return refuse('resource_refused');
  return ok(chosen.length === 1 && chosen[0] === api ? null : chosen);
}

/** With or without a slash at the end; our API has one name with everything below it. */
function isNameOf(name: string, resource: string, api: string): boolean {
  if (name === resource) return true;
  if (!/^https?:\/\/[^#]+$/i.test(name) || !URL.canParse(name)) return false;
  const [asked, own] = [withoutSlash(new URL(name).href), withoutSlash(resource)];
  return (
    asked === own || (resource === api && /^[/?]/.test(asked.slice(own.length)) && asked.startsWith(own))
  );
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}
