import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { sessionOf } from '../../accounts/sessions/session.ts';
import type { Db } from '../../platform/database.ts';
import { linksOf } from '../../web/navigation.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import type { clientParams } from '../client-id.ts';
import { countFailedRequests } from '../failed-requests/store.ts';
import { type Badge, badgesOf } from './status.ts';
import { findOwnClient } from './store.ts';

export const developerHome = '/settings/developer/oauth';
export const reviewHome = '/settings/admin/oauth';

export type ClientRequest = FastifyRequest<{ Params: z.output<typeof clientParams> }>;

const doneWords = {
  changed: 'Changes saved.',
  resubmitted: 'App resubmitted for review.',
  edit_submitted: 'Changes submitted for review. Your app stays as it is until they’re approved.',
  edit_withdrawn: 'Changes withdrawn. Your app stays as it is.',
  unchanged: 'Nothing changed: the values are the same as before.',
  nothing_to_withdraw: 'There were no changes to withdraw.',
  outdated: 'The app has changed since you opened that page, so nothing was saved.',
  kept: 'Saved. It will be reviewed when you fix what was rejected and resubmit.',
  registered_before:
    'This app is already registered. If you didn’t copy its client secret, add a new one under Secrets.',
  secret_added: 'Secret added. Your app can use it now.',
  secret_added_before:
    'This form has already added a secret. If you didn’t copy it, delete it and add a new one.',
  secret_deleted: 'Secret deleted. It no longer works.',
  deleted: 'App deleted. All its tokens have been revoked.',
  nothing_to_delete: 'There was nothing to delete: this app isn’t one of yours.',
} as const;

export type Done = keyof typeof doneWords;

const nothingDone: readonly string[] = [
  doneWords.unchanged,
  doneWords.nothing_to_withdraw,
  doneWords.outdated,
  doneWords.nothing_to_delete,
  doneWords.registered_before,
  doneWords.secret_added_before,
];

export function clientPage(clientId: string, done?: Done): string {
  return withClientOutcome(`${developerHome}/${clientId}`, done);
}

export function withClientOutcome(path: string, done: Done | undefined): string {
  return done === undefined ? path : `${path}?done=${done}`;
}

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/badges': { readonly badges: readonly Badge[] };
    'oauth/client-tabs': { readonly client: TabbedClient };
  }
}

export function tellClientOutcomes(app: FastifyInstance): void {
  tellOutcomes(app, doneWords, nothingDone);
}

/** Returns undefined for anyone but the owner. */
export async function ownClientOf(
  db: Db,
  request: FastifyRequest<{ Params: { readonly clientId?: string | undefined } }>,
) {
  const { clientId } = request.params;
  const client = clientId && (await findOwnClient(db, clientId, sessionOf(request).person.id));
  if (!client) return undefined;
  const count = await countFailedRequests(db, client.id, request.server.runtime.now());
  const tabs: { readonly address: string; readonly words: string; readonly count?: number }[] = [
    { address: clientPage(client.id), words: 'Overview' },
    { address: `${clientPage(client.id)}/quickstart`, words: 'Quickstart' },
    { address: `${clientPage(client.id)}/edit`, words: 'Edit' },
    { address: `${clientPage(client.id)}/secrets`, words: 'Secrets' },
    ...linksOf(request.server.parts, 'app', clientPage(client.id)),
    { address: `${clientPage(client.id)}/failed-requests`, words: 'Failed requests', count },
  ].filter(({ words }) => words !== 'Secrets' || client.type === 'confidential');
  const crumb = { address: developerHome, words: 'Your apps' };
  return { ...client, badges: badgesOf({ ...client, editStatus: client.edit?.status }), tabs, crumb };
}

export type ShownClient = NonNullable<Awaited<ReturnType<typeof ownClientOf>>>;

export type TabbedClient = Pick<ShownClient, 'name' | 'badges' | 'tabs' | 'crumb'>;
