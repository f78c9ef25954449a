import type { Session } from '../../accounts/session.ts';
import type { Db } from '../../io/database.ts';
import { clientPage } from '../clients/address.ts';
import { findOwnClient } from '../clients/store.ts';
import type { AuthorizationRequest } from '../core/authorization.ts';

const mostShown = 300;

/** What the page that refuses a request tells the developer of the app, and nobody else. */
export interface OwnApp {
  readonly name: string;
  readonly status: 'pending' | 'accepted' | 'rejected';
  /** The redirect URI as it was sent, shortened: text, and never a link (contract §3). */
  readonly given: string | undefined;
  readonly registered: readonly string[];
  readonly page: string;
}

/** The app that a refused request names, if the signed-in person made it. */
export async function findOwnApp(
  db: Db,
  session: Session | undefined,
  { clientId, redirectUri }: AuthorizationRequest,
): Promise<OwnApp | undefined> {
  if (session === undefined || clientId === undefined) return undefined;
  const client = await findOwnClient(db, clientId, session.person.id);
  if (client === undefined) return undefined;
  const { name, status, redirectUris: registered } = client;
  return { name, status, given: shorten(redirectUri), registered, page: clientPage(client.id) };
}

function shorten(text: string | undefined): string | undefined {
  return text === undefined || text.length <= mostShown ? text : `${text.slice(0, mostShown)}…`;
}
