import { describeApp, describeDestination } from '../consent-card.ts';
import type { ClientType } from '../core/client.ts';
import { matchRedirectUri } from '../core/redirect-uri.ts';
import { nameScopes } from '../own-scopes.ts';
import { describeLimits, isOnlySignIn, listPermissions, type Permissions } from '../permissions.ts';
import { isRedirectUri, isWebsite } from './form.ts';

/** What users would be asked, from a form that may not be right yet: what isn't, isn't shown. */
export function previewConsent(
  typed: Readonly<Record<string, string>>,
  chosen: readonly unknown[],
  permissions: Permissions,
  app: { readonly id: string; readonly logoId: string | null; readonly type: ClientType },
) {
  const { website_url: website = '', redirect_uris: uris = '', access } = typed;
  const name = typed['name']?.trim().slice(0, 80) || 'Your app';
  const websiteUrl = isWebsite(website.trim()) ? website.trim() : null;
  const asked = access === 'full' ? null : permissions.known.filter((scope) => chosen.includes(scope));
  const scopes = nameScopes(asked, permissions.known);
  const [destination] = uris.split('\n').flatMap((uri) => {
    const { type } = app;
    const registered = isRedirectUri(uri, type)
      ? matchRedirectUri(uri, { type, redirectUris: [uri] })
      : undefined;
    return registered === undefined ? [] : [describeDestination(registered)];
  });
  return {
    ...describeApp({ ...app, name, websiteUrl }),
    isOnlySignIn: scopes.length > 0 && isOnlySignIn(scopes),
    account: {
      kind: 'person' as const,
      permissions: listPermissions(permissions, scopes),
      includes: [],
      limits: describeLimits(permissions, scopes),
    },
    destination,
  };
}
