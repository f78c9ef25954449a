import type { Db } from '../../../platform/database.ts';
import { initialOf } from '../../app-identity.ts';
import { badgesOf, statusWords as clientStatusWords } from '../../clients/status.ts';
import { type KnownNames, knownNames } from '../look-alike.ts';
import { proposalOf } from '../proposal.ts';
import { warningsOf } from '../warnings.ts';
import { type ListStatus, listStatuses, type Place, type Span, writePlace } from './request.ts';
import { listAcceptedNames, listApps } from './store.ts';

type ListedApp = Awaited<ReturnType<typeof listApps>>[number];

/** So many apps a page. */
const pageSize = 25;

const statusWords = {
  waiting: clientStatusWords.pending,
  accepted: clientStatusWords.accepted,
  rejected: `${clientStatusWords.rejected} or suspended`,
  all: 'All',
} as const satisfies Record<ListStatus, string>;

/** For the form that filters the list. */
export const statusOptions = listStatuses.map((status) => [status, statusWords[status]] as const);

export interface Wanted {
  readonly status: ListStatus;
  readonly q: string;
  readonly span: Span | undefined;
}

/** One page of the list, ready to be shown, with the addresses of the pages on both sides of it. */
export async function readList(db: Db, home: string, wanted: Wanted, now: Date) {
  const { status, q: search, span } = wanted;
  const [found, names] = await Promise.all([
    listApps(db, { status, search, span, limit: pageSize + 1 }),
    listAcceptedNames(db),
  ]);
  const shown = found.slice(0, pageSize);
  const rows = span?.direction === 'before' ? shown.toReversed() : shown;
  const hasMore = found.length > pageSize;
  const isBack = span?.direction === 'before';
  const known = knownNames(names);
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    apps: rows.map((row) => describe(row, known, now)),
    previous:
      first !== undefined && (isBack ? hasMore : span !== undefined)
        ? addressOf(home, wanted, 'before', placeOf(first))
        : undefined,
    next:
      last !== undefined && (isBack || hasMore) ? addressOf(home, wanted, 'after', placeOf(last)) : undefined,
  };
}

function placeOf({ submittedAt, id }: ListedApp): Place {
  return { at: submittedAt, id };
}

function addressOf(home: string, { status, q }: Wanted, direction: Span['direction'], place: Place): string {
  const query = new URLSearchParams({ ...(q === '' ? {} : { q }), status, [direction]: writePlace(place) });
  return `${home}?${query.toString()}`;
}

function describe(app: ListedApp, known: KnownNames, now: Date) {
  const { id, name, ownerName, ownerEmail, status, submittedAt, logoId } = app;
  const proposal = proposalOf(app, app.edit);
  const warnings = warningsOf(proposal, known).length;
  const edit = app.edit?.status === 'pending' && status === 'accepted' ? app.edit : undefined;
  return {
    id,
    name,
    initial: initialOf(name),
    logoId,
    newName: edit !== undefined && edit.name !== name ? edit.name : undefined,
    ownerName,
    ownerEmail,
    badges: badgesOf({ ...app, editStatus: app.edit?.status }),
    submission: edit !== undefined ? 'Changes' : app.wasRejected ? 'Resubmitted app' : 'New app',
    submittedAt,
    age: ageOf(submittedAt, now),
    warningWords: warnings === 0 ? undefined : warnings === 1 ? '1 warning' : `${warnings} warnings`,
  };
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long something has waited, in words: `3 days`; less than a minute is `moments`. */
export function ageOf(since: Date, now: Date): string {
  const passedMs = now.getTime() - since.getTime();
  for (const [unit, ms] of units) {
    const count = Math.floor(passedMs / ms);
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'moments';
}
