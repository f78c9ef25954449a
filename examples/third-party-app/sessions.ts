import { randomBytes } from 'node:crypto';
import type { SentRequest, Tokens } from './connection.ts';

/** The browser knows only a random id; the rest stays in this server's memory. */
export interface Session {
  /** A user may click Connect in two tabs, so requests are kept by `state`. */
  readonly sent: Map<string, SentRequest>;
  tokens: Tokens | undefined;
  /** Two tabs share one refresh. */
  refreshing: Promise<Tokens> | undefined;
}

/** Keys are ids. A restart forgets all sessions. */
export type Sessions = Map<string, Session>;

const maxSessions = 1000;
const maxSent = 5;

export function createSession(): Session {
  return { sent: new Map(), tokens: undefined, refreshing: undefined };
}

/** Drops the oldest unconnected session: visitors who only look must not sign anybody out. */
export function keepSession(sessions: Sessions, session: Session): string {
  const id = randomBytes(32).toString('base64url');
  sessions.set(id, session);
  if (sessions.size > maxSessions) {
    const [idle] = [...sessions].find(([other, { tokens }]) => tokens === undefined && other !== id) ?? [];
    if (idle === undefined) dropOldest(sessions, maxSessions);
    else sessions.delete(idle);
  }
  return id;
}

export function rememberRequest(session: Session, sent: SentRequest): void {
  session.sent.set(sent.state, sent);
  dropOldest(session.sent, maxSent);
}

export function takeRequest(session: Session, state: string | null): SentRequest | undefined {
  const sent = session.sent.get(state ?? '');
  session.sent.delete(state ?? '');
  return sent;
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
