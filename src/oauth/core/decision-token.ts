import { ok, type Result, refuse } from '../../result.ts';
import { type AuthorizationRequest, requestParameters } from './authorization.ts';
import { bytesOfUuid, concat, fromBase64url, toBase64url, utf8, uuidOfBytes } from './bytes.ts';
import type { Mac } from './crypto.ts';
import { secondsBetween } from './grant.ts';
import type { Scope } from './scope.ts';

const decisionLifetimeSeconds = 3600;

export interface ShownRequest {
  readonly sessionName: string;
  readonly request: AuthorizationRequest;
  readonly scopes: readonly Scope[];
}

const idBytes = 16;
const instantBytes = 8;
const headBytes = idBytes + instantBytes;

/** A MAC binds session and request; a viewed page stores nothing (contract §3, RFC 9700 §4.7). */
export async function issueDecision(
  shown: ShownRequest,
  grantId: string,
  now: Date,
  mac: Mac,
): Promise<string> {
  const head = new Uint8Array(headBytes);
  head.set(bytesOfUuid(grantId));
  new DataView(head.buffer).setFloat64(idBytes, now.getTime());
  return toBase64url(concat(head, await mac.mac('decision', boundBytes(head, shown))));
}

export async function readDecision(
  decision: string,
  shown: ShownRequest,
  now: Date,
  mac: Mac,
): Promise<Result<{ readonly grantId: string }, 'decision_not_bound' | 'decision_too_old'>> {
  const bytes = fromBase64url(decision);
  if (bytes === undefined || bytes.length <= headBytes) return refuse('decision_not_bound');
  const head = bytes.subarray(0, headBytes);
  if (!(await mac.isMac('decision', boundBytes(head, shown), bytes.subarray(headBytes)))) {
    return refuse('decision_not_bound');
  }
  const shownAt = new Date(new DataView(head.buffer, head.byteOffset + idBytes, instantBytes).getFloat64(0));
  if (secondsBetween(shownAt, now) > decisionLifetimeSeconds) return refuse('decision_too_old');
  return ok({ grantId: uuidOfBytes(head) });
}

/** JSON keeps the parts apart, so that no two requests have the same bytes. */
function boundBytes(head: Uint8Array, { sessionName, request, scopes }: ShownRequest): Uint8Array {
  // protects: C28
  const parts = [sessionName, ...requestParameters.map((name) => request[name]), scopes.join(' ')];
  return concat(head, utf8(JSON.stringify(parts.map((part) => part ?? null))));
}
