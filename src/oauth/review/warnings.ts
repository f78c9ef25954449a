import { domainToUnicode } from 'node:url';
import { getDomain, parse } from 'tldts';
import { isOnDevice } from '../app-identity.ts';
import { acceptScopes } from '../clients/accepted.ts';
import { type ClientValues, clientValuesOf } from '../clients/edits/change.ts';
import type { EditStatus } from '../clients/status.ts';
import type { ClientType, ReviewStatus } from '../core/client.ts';
import { isShortScheme } from '../core/redirect-uri.ts';
import type { Scope } from '../core/scope.ts';
import { isDocumentId } from '../document-id.ts';

export interface Proposal extends ClientValues {
  readonly id: string;
  readonly ownerId: number | null;
  readonly type: ClientType;
}

export function proposalOf(
  client: Proposal,
  edit: (ClientValues & { readonly status: EditStatus }) | null,
): Proposal {
  if (edit?.status !== 'pending') return client;
  const { id, ownerId, type } = client;
  return { id, ownerId, type, ...clientValuesOf(edit) };
}

/** An acceptance gives what was named to the reviewer, and no more (security C301). */
export function acceptedWith(
  client: Proposal & {
    readonly status: ReviewStatus;
    readonly acceptedScopes: readonly Scope[] | null;
    readonly edit: Parameters<typeof proposalOf>[1];
  },
  named: readonly Scope[],
): readonly Scope[] {
  const live = client.status === 'accepted' ? client : undefined;
  return acceptScopes(proposalOf(client, client.edit).scopes, named, live);
}

export interface Warning {
  readonly kind: string;
  readonly text: string;
  readonly values: readonly string[];
}

interface NamedClient {
  readonly id: string;
  readonly ownerId: number | null;
  readonly name: string;
}

interface Check {
  readonly kind: string;
  readonly text: string;
  readonly find: (
    proposal: Proposal,
    named: readonly NamedClient[],
    appName: string,
  ) => readonly string[] | boolean;
}

const serviceName = 'Latchkey';

/** Unicode calls these ignorable or formatting, or they look like nothing. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu;
/** Letters of another alphabet pass for Latin ones. Words that mix Latin and Han are common. */
const mixedWord =
  /(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}])[\p{L}\p{M}]+/gu;

/** Names come first, because users go by them. */
const checks: readonly Check[] = [
  {
    kind: 'pretends_to_be_us',
    text: 'The name contains the name of this service, so users may mistake the app for part of it. Approve it only if it is.',
    find: ({ name }, _named, appName) => {
      const pretends = (own: string): boolean => lettersOf(name).includes(lettersOf(own));
      return pretends(serviceName) || (appName.length > 2 && pretends(appName)) ? [name] : [];
    },
  },
  {
    kind: 'same_name',
    text: 'Another owner’s approved app has this name. Compare the two apps and their owners.',
    find: namesOfOthers,
  },
  {
    kind: 'mixed_alphabets',
    text: 'A word of the name mixes alphabets, so letters may not be what they seem. Check them one by one.',
    find: ({ name }) => name.match(mixedWord) ?? [],
  },
  {
    kind: 'unseen_characters',
    text: 'The name contains invisible characters, or some that reverse the writing direction. Ask the owner to remove them.',
    find: ({ name }) => [
      ...new Set(
        name
          .replaceAll(/\p{RGI_Emoji}/gv, '')
          .match(unseen)
          ?.map(codePointOf),
      ),
    ],
  },
  {
    kind: 'numeric_host',
    text: 'An address uses a number as its host, so users can’t tell whose server it is. Ask for a host name.',
    find: (proposal) =>
      publicUrls(addressesOf(proposal))
        .filter(({ hostname }) => parse(hostname).isIp === true)
        .map(({ host }) => host),
  },
  {
    kind: 'encoded_host',
    text: 'A host contains letters other than a to z. Read it letter by letter, as users will see it.',
    find: (proposal) =>
      urlsOf(addressesOf(proposal))
        .map(({ hostname }) => hostname)
        .filter((host) => /(^|\.)xn--/i.test(host))
        .map(withDecoded),
  },
  {
    kind: 'elsewhere',
    text: 'Users are redirected to another domain than the website. Check that both belong to the owner.',
    find: (proposal) =>
      proposal.websiteUrl === null || isDocumentId(proposal.id)
        ? []
        : hostsElsewhere(proposal.websiteUrl, urisOf(proposal)),
  },
  {
    kind: 'outside_document',
    text: 'The metadata document names another domain than its own. Check that both belong to the app: anyone can publish a document with another’s name.',
    find: (proposal) => (isDocumentId(proposal.id) ? hostsElsewhere(proposal.id, addressesOf(proposal)) : []),
  },
  {
    kind: 'document_on_device',
    text: 'Any program on a user’s device can take this app’s name and wait at this address. Users are warned before they allow it.',
    find: ({ id, redirectUris }) => (isDocumentId(id) ? redirectUris.filter(isOnDevice) : []),
  },
  {
    kind: 'confidential_on_loopback',
    text: 'A confidential app redirects to the user’s own device, where no client secret is safe. That’s for development: ask for its purpose.',
    find: ({ type, redirectUris }) =>
      type === 'confidential'
        ? redirectUris.filter((uri) =>
            urlsOf([uri]).some((url) => url.protocol === 'http:' && isLoopback(url)),
          )
        : [],
  },
  {
    kind: 'private_scheme',
    text: 'Any app on a device can claim a private-use scheme. Check that it’s the reversed name of a domain that the owner has.',
    find: (proposal) => schemesOf(urisOf(proposal)).filter((scheme) => !isShortScheme(scheme)),
  },
  {
    kind: 'short_scheme',
    text: 'Any app can claim a private-use scheme without a dot, and several may use the same. Check that it’s the one that this app is known by.',
    find: (proposal) => schemesOf(urisOf(proposal)).filter(isShortScheme),
  },
  {
    kind: 'full_access',
    text: 'The app requests full access. Check that its purpose needs it; with scopes it could request less.',
    find: ({ scopes }) => scopes === null,
  },
];

/** Warnings decide nothing: admins do. `named` are approved apps of the same name, in any case. */
export function warningsOf(
  proposal: Proposal,
  named: readonly NamedClient[],
  appName = serviceName,
): readonly Warning[] {
  return checks.flatMap(({ kind, text, find }) => {
    const found = find(proposal, named, appName);
    const values = typeof found === 'boolean' ? [] : [...new Set(found)];
    return found === true || values.length > 0 ? [{ kind, text, values }] : [];
  });
}

function namesOfOthers({ id, ownerId, name }: Proposal, named: readonly NamedClient[]): readonly string[] {
  const others = named.filter((one) => (ownerId === null ? one.id !== id : one.ownerId !== ownerId));
  return others.map((one) => one.name).filter((one) => one.toLowerCase() === name.toLowerCase());
}

const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A sign-out sends users as far as an approval does. */
function urisOf({ redirectUris, postLogoutRedirectUris }: Proposal): readonly string[] {
  return [...redirectUris, ...postLogoutRedirectUris];
}

function addressesOf(proposal: Proposal): readonly string[] {
  const { websiteUrl } = proposal;
  return websiteUrl === null ? urisOf(proposal) : [websiteUrl, ...urisOf(proposal)];
}

function urlsOf(addresses: readonly string[]): readonly URL[] {
  return addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address));
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';
const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

function schemesOf(addresses: readonly string[]): readonly string[] {
  return urlsOf(addresses).flatMap((url) => (isWeb(url) ? [] : [url.protocol]));
}

function publicUrls(addresses: readonly string[]): readonly URL[] {
  return urlsOf(addresses).filter((url) => isWeb(url) && !isLoopback(url));
}

/** Adds what users read to the punycode (RFC 5891) that is registered. */
function withDecoded(host: string): string {
  const decoded = domainToUnicode(host);
  return decoded === '' || decoded === host ? host : `${decoded} (${host})`;
}

/**
 * Finds hosts on other registrable domains than the website's; pages at one hoster don't share a
 * domain.
 */
function hostsElsewhere(website: string, addresses: readonly string[]): readonly string[] {
  const domainOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;
  const [home] = urlsOf([website]);
  if (home === undefined) return [];
  const hosts = publicUrls(addresses).map(({ hostname }) => hostname);
  return hosts.filter((host) => domainOf(host) !== domainOf(home.hostname));
}
