import { developerHome } from '../clients/own-client.ts';
import type { WebhookOwner } from './store.ts';

/** The list of an owner's webhooks; with an id, one of them. */
export function webhookPage(owner: WebhookOwner, id?: string): string {
  const end = id === undefined ? '/webhooks' : `/webhooks/${id}`;
  if ('userId' in owner) return `/settings${end}`;
  return 'teamId' in owner
    ? `/settings/teams/${owner.teamId}${end}`
    : `${developerHome}/${encodeURIComponent(owner.clientId)}${end}`;
}
