import type { ClientType, EditStatus } from '../core/client.ts';
import type { GrantedScopes } from '../core/scope.ts';

/** The values of a client that a reviewer judges. */
export interface Values {
  readonly name: string;
  readonly purpose: string;
  readonly redirectUris: readonly string[];
  readonly websiteUrl: string | null;
  readonly scopes: GrantedScopes;
  readonly logoId: string | null;
}

/** A client's values with the owner and type that stand beside them. */
export interface Proposal extends Values {
  readonly ownerId: number;
  readonly type: ClientType;
}

/** What a client is, or becomes if the edit that waits is accepted. */
export function proposalOf(
  client: Proposal,
  edit: (Values & { readonly status: EditStatus }) | null,
): Proposal {
  if (edit?.status !== 'pending') return client;
  const { name, purpose, redirectUris, websiteUrl, scopes, logoId } = edit;
  const { ownerId, type } = client;
  return { ownerId, type, name, purpose, redirectUris, websiteUrl, scopes, logoId };
}
