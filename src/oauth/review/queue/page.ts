import { z } from 'zod';
import type { Platform } from '../../../platform/platform.ts';
import { cutPage, positionBy, positionOf } from '../../../web/forms.ts';
import { hostOfWebsite, initialOf } from '../../app-identity.ts';
import { clientIdOfSegment, segmentOf } from '../../client-id.ts';
import { badgesOf, statusWords as clientStatusWords } from '../../clients/status.ts';
import { proposalOf, warningsOf } from '../warnings.ts';
import { listApps, listNamed, listStatuses, type QueueStatus } from './store.ts';

const clientId = z
  .string()
  .regex(/^(?:[0-9a-f]{1,64}|~[\w-]{1,500})$/)
  .transform(clientIdOfSegment);

/** Old addresses may have an unknown status. A search that can't be answered is a fault. */
export const queueQuery = z.object({
  q: z
    .string({ error: 'Enter one search term.' })
    .trim()
    .max(200, { error: 'Use 200 characters at most.' })
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'Leave out control characters.' })
    .default(''),
  status: z.enum(listStatuses).catch('waiting'),
  after: positionBy(clientId),
  decided: clientId.optional().catch(undefined),
});

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
  const { status, q: search, after } = wanted;
  const found = await listApps(db, { status, search, after, limit: pageSize + 1 });
  const { shown: rows, next } = cutPage(found, pageSize, (app) =>
    positionOf(app.submittedAt, segmentOf(app.id)),
  );
  const named = await listNamed(
    db,
    rows.map((row) => proposalOf(row, row.edit).name),
  );
  const addressOf = (query: Readonly<Record<string, string>>): string =>
    `${home}?${new URLSearchParams(query).toString()}`;
  const filter = { ...(search === '' ? {} : { q: search }), status };
  return {
    apps: rows.map((row) => describe(row, named, config.brand.name, now)),
    isFurther: after !== undefined,
    isSearch: search !== '',
    startAddress: addressOf(filter),
    allAddress: addressOf({ q: search, status: 'all' }),
    next: next && addressOf({ ...filter, after: next }),
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
