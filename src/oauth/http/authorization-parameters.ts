import { ok, type Result, refuse } from '../../result.ts';
import { type AuthorizationRequest, malformedValue, requestParameters } from '../core/authorization.ts';
import { utf8 } from '../core/bytes.ts';
import { maxResources, resourceMaxLength } from '../core/scope.ts';

/** No registered redirect URI is longer. */
const maxLength = 2048;
/** An ID token with a long name and address is longer (contract §4). */
const maxIdTokenLength = 4096;
/** Some brokers put a whole request into the state, and none that we know needs more. */
const maxStateBytes = 4096;
/** Decoding more would keep all requests waiting. */
const maxParameters = 1000;

/** Every parameter by its name here and on the wire. */
export const wireNames = requestParameters.map((name) => [name, nameOnWire(name)] as const);

function nameOnWire(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export type SentParameters = Readonly<Record<string, unknown>>;

/** Reads bytes that aren't UTF-8 as NUL, which no parameter may have; a `%` alone is itself. */
export function parseParameters(text: string): SentParameters {
  const sent: Record<string, string | string[]> = Object.create(null);
  for (const pair of text.split('&', maxParameters)) {
    const [name = '', ...rest] = pair.split('=').map((part) => decodeParameter(part.replaceAll('+', ' ')));
    if (pair === '') continue;
    const [value, former] = [rest.join('='), sent[name]];
    sent[name] = former === undefined ? value : [former, value].flat();
  }
  return sent;
}

export function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return '\0'; // protects: C231
  }
}

const isShort = (text: string): boolean => text.length <= maxLength;
const isShortState = (text: string): boolean => utf8(text).length <= maxStateBytes;

/**
 * A parameter that is repeated, too long or holds NUL can't be trusted; an empty one counts as
 * absent.
 */
export function readParameter(sent: unknown, fits = isShort): string | undefined {
  if (sent === undefined || sent === '') return undefined;
  return typeof sent === 'string' && !sent.includes('\0') && fits(sent) ? sent : malformedValue;
}

export const readState = (sent: unknown): string | undefined => readParameter(sent, isShortState);
export const readIdToken = (sent: unknown): string | undefined =>
  readParameter(sent, ({ length }) => length <= maxIdTokenLength);

/**
 * Only `resource` may be repeated (RFC 8707 §2). The page sends the values back separated by
 * spaces.
 */
function readResource(sent: unknown): string | undefined {
  const values: readonly unknown[] = [sent ?? []].flat();
  if (values.length > maxResources || values.some((value) => typeof value !== 'string'))
    return malformedValue;
  return readParameter(values.join(' '), ({ length }) => length <= maxResources * (resourceMaxLength + 1));
}

/** What isn't understood is no fault (OpenID Connect Core, section 3.1.2.1). */
function readLocales(sent: unknown): string | undefined {
  const read = readParameter(sent);
  return read === malformedValue ? undefined : read;
}

const readers: ReadonlyMap<string, (sent: unknown) => string | undefined> = new Map([
  ['resource', readResource],
  ['idTokenHint', readIdToken],
  ['uiLocales', readLocales],
  ['state', readState],
]);

const sayWhere = ['clientId', 'redirectUri', 'state'] as const;

/** If a malformed value says where an answer goes, the page refuses it (RFC 6749 §3.1). */
export function readAuthorizationRequest(
  sent: SentParameters,
): Result<AuthorizationRequest, 'request_malformed'> {
  const request: Record<string, string | undefined> = {};
  for (const [name, onWire] of wireNames) request[name] = (readers.get(name) ?? readParameter)(sent[onWire]);
  const faulty = sayWhere.find((name) => request[name] === malformedValue);
  if (faulty !== undefined) return refuse('request_malformed', `${nameOnWire(faulty)} is malformed`);
  return ok(request as AuthorizationRequest);
}
