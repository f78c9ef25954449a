import { type RenderedEmail, renderEmail } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import { initialOf } from '../app-identity.ts';
import { liveScopesOf, notOffered, unacceptedOf } from '../clients/accepted.ts';
import { describeEdit, type ScopeWords } from '../clients/edits/change.ts';
import { reviewEmail } from '../clients/emails.ts';
import {
  badgesOf,
  type ClientEventKind,
  describeCount,
  describeType,
  eventWordsOf,
  type ReviewOutcome,
} from '../clients/status.ts';
import { listClientEvents } from '../clients/store.ts';
import { countConnectedUsers } from '../connected-apps/store.ts';
import { nameScopes } from '../own-scopes.ts';
import { describePermissions, type Permissions } from '../permissions.ts';
import { listNamed } from './queue/store.ts';
import type { ReviewedClient } from './store.ts';
import { proposalOf, warningsOf } from './warnings.ts';

const historyLimit = 100;

const ownEvents: readonly ClientEventKind[] = ['changed', 'resubmitted', 'edit_submitted', 'edit_withdrawn'];

export const permissionWordsOf = (permissions: Permissions): ScopeWords => ({
  field: 'Permissions',
  linesOf: (scopes) => [
    ...(scopes === null ? ['Full access'] : []),
    ...describePermissions(permissions, scopes),
  ],
});

export function noticesOf(
  app: Pick<Platform, 'config' | 'runtime' | 'secrets'>,
  client: ReviewedClient,
  outcome: ReviewOutcome,
  reason: string | null,
): readonly RenderedEmail[] {
  if (client.ownerEmail === null) return [];
  const { name } = outcome === 'edit_accepted' ? proposalOf(client, client.edit) : client;
  const email = reviewEmail(outcome, { id: client.id, name }, reason, app.config.appUrl);
  return [renderEmail(email, client.ownerEmail, app)];
}

export async function readDetail(
  app: Pick<Platform, 'config' | 'db' | 'permissions' | 'runtime'>,
  client: ReviewedClient,
) {
  const { config, db, permissions } = app;
  const { id, ownerId, ownerName, ownerEmail, ownerSince, status } = client;
  const proposal = proposalOf(client, client.edit);
  const [people, history, named] = await Promise.all([
    countConnectedUsers(app, id),
    listClientEvents(db, id, historyLimit),
    listNamed(db, proposal.name),
  ]);
  const edit = status === 'accepted' && client.edit?.status === 'pending' ? client.edit : undefined;
  const { known } = permissions;
  const scopes = status === 'accepted' ? liveScopesOf(client, known) : client.scopes;
  return {
    ...client,
    /** The decision is about these, and others can't be named (security C301). */
    namedScopes: nameScopes(proposal.scopes, known).join(' '),
    notOffered: notOffered(proposal.scopes, known).join(' '),
    unaccepted: status === 'accepted' && edit === undefined ? unacceptedOf(client, known).join(' ') : '',
    badges: badgesOf({ ...client, editStatus: client.edit?.status }),
    initial: initialOf(client.name),
    typeWords: describeType(client),
    isFullAccess: client.scopes === null,
    permissions: describePermissions(permissions, scopes),
    people: describeCount(people),
    appsOfOwner: new URLSearchParams({ q: ownerEmail ?? '', status: 'all' }).toString(),
    owner:
      ownerName && ownerEmail && ownerSince
        ? { name: ownerName, email: ownerEmail, since: ownerSince }
        : undefined,
    history: history.map((event) => ({
      ...event,
      words: eventWordsOf(event.kind),
      actorWords: ownerId === null && ownEvents.includes(event.kind) ? 'its document' : 'a deleted account',
    })),
    isHistoryCut: history.length === historyLimit,
    edit: edit && {
      submittedAt: edit.submittedAt,
      differences: describeEdit({ ...client, scopes }, edit, permissionWordsOf(permissions)),
    },
    warnings: warningsOf(proposal, named, config.brand.name),
    mayDecide: status === 'pending' || edit !== undefined,
    mayReinstate: status === 'rejected' && ownerId === null,
    maySuspend: status === 'accepted',
  };
}
