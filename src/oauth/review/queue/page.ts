import { z } from 'zod';
import type { Platform } from '../../../platform/platform.ts';
import { positionBy, positionOf } from '../../../web/forms.ts';
import { hostOfWebsite, initialOf } from '../../app-identity.ts';
import { clientIdOfSegment, segmentOf } from '../../client-id.ts';
import { badgesOf, statusWords as clientStatusWords } from '../../clients/status.ts';
import { proposalOf, warningsOf } from '../warnings.ts';
import { listApps, listNamed, listStatuses, type QueueStatus, type Span } from './store.ts';

const clientId = z
  .string()
  .regex(/^(?:[0-9a-f]{1,64}|~[\w-]{1,500})$/)
  .transform(clientIdOfSegment);

/** Old addresses may have an unknown status. A search that can't be answered is a fault. */
export const queueQuery = z
  .object({
    q: z
      .string({ error: 'Enter one search term.' })
      .trim()
      .max(200, { error: 'Use 200 characters at most.' })
      .refine((text) => !/\p{Cc}/u.test(text), { error: 'Leave out control characters.' })
      .default(''),
    status: z.enum(listStatuses).catch('waiting'),
    after: positionBy(clientId),
    before: positionBy(clientId),
    decided: clientId.optional().catch(undefined),
  })
  .transform(({ q, status, after, before, decided }) => ({
    q,
    status,
    decided,
    span: spanOf(after, before),
  }));

function spanOf(after: Span['position'] | undefined, before: Span['position'] | undefined): Span | undefined {
  if (after !== undefined) return { direction: 'after', position: after };
  return before === undefined ? undefined : { direction: 'before', position: before };
}

type ListedApp = Awaited<ReturnType<typeof listApps>>[number];

const pageSize = 25;

const statusWords = {
  waiting: clientStatusWords.pending,
  accepted: clientStatusWords.accepted,
  rejected: `${clientStatusWords.rejected} or suspended`,
  all: 'All',
} as const satisfies Record<QueueStatus, string>;

export const statusOptions = listStatuses.map((status) => [status, statusWords[status]] as const);

type Wanted = Omit<z.output<typeof queueQuery>, 'decided'>;

export async function readList(
  { config, db }: Pick<Platform, 'config' | 'db'>,
  home: string,
  wanted: Wanted,
  now: Date,
) {
  const { status, q: search, span } = wanted;
  const found = await listApps(db, { status, search, span, limit: pageSize + 1 });
  const isBack = span?.direction === 'before';
  const shown = found.slice(0, pageSize);
  const rows = isBack ? shown.toReversed() : shown;
  const hasMore = found.length > pageSize;
  const named = await listNamed(
    db,
    rows.map((row) => proposalOf(row, row.edit).name),
  );
  const addressOf = (query: Readonly<Record<string, string>>): string =>
    `${home}?${new URLSearchParams(query).toString()}`;
  const pageFrom = (direction: Span['direction'], app: ListedApp | undefined): string | undefined =>
    app &&
    addressOf({
      ...(search === '' ? {} : { q: search }),
      status,
      [direction]: positionOf(app.submittedAt, segmentOf(app.id)),
    });
  return {
    apps: rows.map((row) => describe(row, named, config.brand.name, now)),
    isFurther: span !== undefined,
    isSearch: search !== '',
    startAddress: addressOf({ q: search, status }),
    allAddress: addressOf({ q: search, status: 'all' }),
    previous: (isBack ? hasMore : span !== undefined) ? pageFrom('before', rows[0]) : undefined,
    next: isBack || hasMore ? pageFrom('after', rows.at(-1)) : undefined,
  };
}

function describe(app: ListedApp, named: Awaited<ReturnType<typeof listNamed>>, appName: string, now: Date) {
  const { id, name, ownerName, ownerEmail, status, submittedAt, logoId } = app;
  const proposal = proposalOf(app, app.edit);
  const warnings = warningsOf(proposal, named, appName).length;
  const edit = app.edit?.status === 'pending' && status === 'accepted' ? app.edit : undefined;
  return {
    id: segmentOf(id),
    name,
    initial: initialOf(name),
    logoId,
    newName: edit !== undefined && edit.name !== name ? edit.name : undefined,
    owner: ownerName && ownerEmail ? { name: ownerName, email: ownerEmail } : undefined,
    host: hostOfWebsite(app) ?? '',
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

export function ageOf(since: Date, now: Date): string {
  const passedMs = now.getTime() - since.getTime();
  for (const [unit, ms] of units) {
    const count = Math.floor(passedMs / ms);
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'moments';
}
