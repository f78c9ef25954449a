import { randomBytes } from 'node:crypto';
import type { SentRequest, Tokens } from './connection.ts';

/** One browser. It knows only a random id; what stands here stays in this server's memory. */
export interface Session {
  /** Requests whose answers are awaited, by `state`: a user may click Connect in two tabs. */
  readonly sent: Map<string, SentRequest>;
  tokens: Tokens | undefined;
  /** A refresh under way, so that two tabs refresh once. */
  refreshing: Promise<Tokens> | undefined;
}

/** By id. A restart forgets them all. */
export type Sessions = Map<string, Session>;

const maxSessions = 1000;
const maxSent = 5;

export function createSession(): Session {
  return { sent: new Map(), tokens: undefined, refreshing: undefined };
}

/**
 * Keeps the session under a new id, which is answered. When there are too many the oldest goes that
 * is not connected: visitors who only look must not sign anybody out.
 */
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

/** The request that an answer belongs to, once. */
export function takeRequest(session: Session, state: string | null): SentRequest | undefined {
  const sent = session.sent.get(state ?? '');
  session.sent.delete(state ?? '');
  return sent;
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
