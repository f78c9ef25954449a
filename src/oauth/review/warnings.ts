import { type KnownNames, mixedWords, namesLike, skeletonOf, unseenCharacters } from './look-alike.ts';
import {
  encodedHosts,
  hostsElsewhere,
  numericHosts,
  plainLoopbacks,
  portedHosts,
  privateSchemes,
} from './odd-hosts.ts';
import type { Proposal } from './proposal.ts';

/**
 * Something odd about a client: a sentence on what it is and what to look at, and the values that
 * it is about, as they were typed.
 */
export interface Warning {
  readonly kind: string;
  readonly text: string;
  readonly values: readonly string[];
}

interface Check {
  readonly kind: string;
  readonly text: string;
  /**
   * The odd values; `true` where what is odd is no value, `false` or none at all when nothing is.
   */
  readonly find: (proposal: Proposal, known: KnownNames) => readonly string[] | boolean;
}

const serviceName = 'Latchkey';

/** Names first: they are what people will go by. */
const checks: readonly Check[] = [
  {
    kind: 'pretends_to_be_us',
    text: 'The name contains the name of this service, so users may mistake the app for part of it. Approve it only if it is.',
    find: ({ name }) => (skeletonOf(name).includes(skeletonOf(serviceName)) ? [name] : []),
  },
  {
    kind: 'look_alike',
    text: "The name looks like another owner's approved app. Compare the two apps and their owners.",
    find: ({ name, ownerId }, known) => namesLike(name, ownerId, known),
  },
  {
    kind: 'mixed_alphabets',
    text: 'A word of the name mixes alphabets, so letters may not be what they seem. Check them one by one.',
    find: ({ name }) => mixedWords(name).map(({ word, scripts }) => `${word}: ${scripts}`),
  },
  {
    kind: 'unseen_characters',
    text: 'The name contains invisible characters, or some that reverse the writing direction. Ask the owner to remove them.',
    find: ({ name }) => unseenCharacters(name),
  },
  {
    kind: 'numeric_host',
    text: 'An address uses a number as its host, so nobody can tell whose server it is. Ask for a host name.',
    find: (proposal) => numericHosts(addressesOf(proposal)),
  },
  {
    kind: 'encoded_host',
    text: 'A host contains letters other than a to z. Read it letter by letter, as users will see it.',
    find: (proposal) => encodedHosts(addressesOf(proposal)),
  },
  {
    kind: 'unusual_port',
    text: 'An address contains a port, which is rare for public sites. Check that the app runs there.',
    find: (proposal) => portedHosts(addressesOf(proposal)),
  },
  {
    kind: 'elsewhere',
    text: 'Users are redirected to another domain than the website. Check that both belong to the owner.',
    find: ({ websiteUrl, redirectUris }) =>
      websiteUrl === null ? [] : hostsElsewhere(websiteUrl, redirectUris),
  },
  {
    kind: 'plain_website',
    text: 'The website uses plain http, so anybody on the network path can change it. Ask for https.',
    find: ({ websiteUrl }) => (websiteUrl?.startsWith('http:') === true ? [websiteUrl] : []),
  },
  {
    kind: 'confidential_on_loopback',
    text: "A confidential app redirects to the user's own device, where no client secret is safe. That's for development: ask for its purpose.",
    find: ({ type, redirectUris }) => (type === 'confidential' ? plainLoopbacks(redirectUris) : []),
  },
  {
    kind: 'private_scheme',
    text: "Any app on a device can claim a private-use scheme. Check that it's the reversed name of a domain that the owner has.",
    find: ({ redirectUris }) => privateSchemes(redirectUris),
  },
  {
    kind: 'full_access',
    text: 'The app requests full access. Check that its purpose needs it; with scopes it could request less.',
    find: ({ scopes }) => scopes === null,
  },
];

function addressesOf({ redirectUris, websiteUrl }: Proposal): readonly string[] {
  return websiteUrl === null ? redirectUris : [websiteUrl, ...redirectUris];
}

/**
 * What a reviewer should look at before accepting these values. None of it decides anything: people
 * do.
 */
export function warningsOf(proposal: Proposal, known: KnownNames): readonly Warning[] {
  return checks.flatMap(({ kind, text, find }) => {
    const found = find(proposal, known);
    const values = typeof found === 'boolean' ? [] : found;
    return found === true || values.length > 0 ? [{ kind, text, values }] : [];
  });
}
