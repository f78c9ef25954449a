import type { ClientValues } from '../clients/edits/change.ts';
import type { ClientType, EditStatus } from '../core/client.ts';

/** A client's values with the owner and type that stand beside them. */
export interface Proposal extends ClientValues {
  readonly ownerId: number;
  readonly type: ClientType;
}

/** What a client is, or becomes if the edit that waits is accepted. */
export function proposalOf(
  client: Proposal,
  edit: (ClientValues & { readonly status: EditStatus }) | null,
): Proposal {
  if (edit?.status !== 'pending') return client;
  const { name, purpose, redirectUris, websiteUrl, scopes, logoId } = edit;
  const { ownerId, type } = client;
  return { ownerId, type, name, purpose, redirectUris, websiteUrl, scopes, logoId };
}
