import type { Db, Fragment } from '../platform/database.ts';
import type { Part } from '../platform/parts.ts';
import type { AuthorizationRequest } from './core/authorization.ts';

declare module '../platform/parts.ts' {
  interface PartData {
    readonly accessListener?: AccessListener;
  }
}

declare module './permissions.ts' {
  interface OAuthOfPart {
    /** Keeps what the exchange of the grant's code will need of the request. */
    readonly keepRequest?: (tx: Db, issued: IssuedRequest) => Promise<unknown>;
  }
}

/** A grant is issued for this request in the transaction, by a person who signed in then. */
export interface IssuedRequest {
  readonly grantId: string;
  readonly request: AuthorizationRequest;
  readonly authenticatedAt: Date;
  readonly at: Date;
}

export interface AccessListener {
  /** SQL about a row of `clients` says whether the listener is told of that app. */
  readonly hearsOf: Fragment;
  tell(tx: Db, event: AccessEvent, changes: readonly AccessChange[], now: Date): Promise<void>;
}

export type AccessEvent = 'ACCESS_GRANTED' | 'ACCESS_REMOVED';

/** A user's access for an app has changed; `scopes` null is full access. */
export interface AccessChange {
  readonly clientId: string;
  readonly userId: number;
  readonly [field: string]: unknown;
}

/** What is told while a part is off waits for it. */
const listenersOf = (parts: readonly Part[]): readonly AccessListener[] =>
  parts.flatMap(({ data }) => data?.accessListener ?? []);

export const hearingOf = (parts: readonly Part[]): readonly Fragment[] =>
  listenersOf(parts).map(({ hearsOf }) => hearsOf);

export async function tellOfAccess(
  tx: Db,
  parts: readonly Part[],
  event: AccessEvent,
  changes: readonly AccessChange[],
  now: Date,
): Promise<void> {
  for (const { tell } of listenersOf(parts)) await tell(tx, event, changes, now);
}
