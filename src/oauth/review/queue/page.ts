import { z } from 'zod';
import type { Platform } from '../../../platform/platform.ts';
import { cutPage, positionBy, positionOf } from '../../../web/forms.ts';
import { hostOfWebsite, initialOf } from '../../app-identity.ts';
import { clientIdOfSegment, segmentOf } from '../../client-id.ts';
import { badgesOf, statusWords as clientStatusWords } from '../../clients/status.ts';
import { listApps, listStatuses, type QueueStatus } from './store.ts';

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

export async function readList(
  { db }: Pick<Platform, 'db'>,
  home: string,
  { status, q: search, after }: z.output<typeof queueQuery>,
) {
  const found = await listApps(db, { status, search, after, limit: pageSize + 1 });
  const { shown: rows, next } = cutPage(found, pageSize, (app) =>
    positionOf(app.submittedAt, segmentOf(app.id)),
  );
  const addressOf = (query: Readonly<Record<string, string>>): string =>
    `${home}?${new URLSearchParams(query).toString()}`;
  const filter = { ...(search === '' ? {} : { q: search }), status };
  return {
    apps: rows.map(describe),
    isFurther: after !== undefined,
    isSearch: search !== '',
    startAddress: addressOf(filter),
    allAddress: addressOf({ q: search, status: 'all' }),
    next: next && addressOf({ ...filter, after: next }),
  };
}

function describe(app: ListedApp) {
  const { id, name, ownerName, ownerEmail, status, submittedAt, logoId } = app;
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
    submission: edit === undefined ? 'App' : 'Changes',
    submittedAt,
  };
}
