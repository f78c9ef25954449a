import type { Session } from '../../accounts/session.ts';
import { newUuid } from '../../io/system.ts';
import { mintCode } from '../core/code.ts';
import { mintDecision } from '../core/decision.ts';
import { decideRemembered } from '../core/remembered.ts';
import { type AuthorizeDeps, type Considered, describeGrant } from './consent.ts';
import type { Asked } from './response.ts';
import { findPastAnswers, issueRemembered, type PastAnswers } from './store.ts';

/** What the person has to be asked, with what they answered before. */
export interface Question {
  readonly past: PastAnswers;
  /** Whether the person need not be asked, and sees the page only because nobody came to it in person. */
  readonly isRemembered: boolean;
  /** The proof that goes into the page, with the id of the grant that Allow would make. */
  readonly decision: string;
}

export type Answered =
  | { readonly outcome: 'remembered'; readonly code: string; readonly grantId: string }
  | { readonly outcome: 'ask'; readonly question: Question };

/**
 * Answers a request from what the person has remembered, or says what to ask. Only a visit, by which the person's own browser came to the
 * page, is answered: nothing that is fetched ahead or inside another page may make grants.
 */
export async function answerRequest(
  deps: AuthorizeDeps,
  session: Session,
  asked: Asked,
  { approval, teams, shown }: Considered,
  isVisit: boolean,
): Promise<Answered> {
  const { db, system, mac, lifetimes } = deps;
  const [now, grantId] = [system.now(), newUuid(system)];
  const past = await findPastAnswers(db, session.person.id, asked.client.id);
  const { redirectUri } = asked.destination;
  const account = decideRemembered(asked.client, { ...approval, redirectUri }, teams, past.remembered);
  if (isVisit && account.ok && past.remembered !== undefined) {
    const grant = describeGrant(grantId, session, asked, approval, account.value);
    const { rememberedAt } = past.remembered;
    if (await issueRemembered(db, grant, rememberedAt, lifetimes.codeSeconds, now))
      return { outcome: 'remembered', grantId, code: await mintCode(grantId, mac) };
  }
  const decision = await mintDecision(shown, grantId, now, mac);
  return { outcome: 'ask', question: { past, isRemembered: account.ok, decision } };
}
