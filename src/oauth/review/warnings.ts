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

/** Something odd about a client: a sentence on what it is and what to look at, and the values that it is about, as they were typed. */
export interface Warning {
  readonly kind: string;
  readonly text: string;
  readonly values: readonly string[];
}

interface Check {
  readonly kind: string;
  readonly text: string;
  /** The odd values; `true` where what is odd is no value, `false` or none at all when nothing is. */
  readonly find: (proposal: Proposal, known: KnownNames) => readonly string[] | boolean;
}

const serviceName = 'Latchkey';

/** Names first: they are what people will go by. */
const checks: readonly Check[] = [
  {
    kind: 'pretends_to_be_us',
    text: 'The name has the name of this service in it, so people may take the app for a part of it. Accept it only if you know that it is one.',
    find: ({ name }) => (skeletonOf(name).includes(skeletonOf(serviceName)) ? [name] : []),
  },
  {
    kind: 'look_alike',
    text: "The name looks like the name of somebody else's app that was accepted. Compare the two apps and their owners.",
    find: ({ name, ownerId }, known) => namesLike(name, ownerId, known),
  },
  {
    kind: 'mixed_alphabets',
    text: 'A word of the name mixes alphabets, so its letters may not be the ones that they seem to be. Look at them one by one.',
    find: ({ name }) => mixedWords(name).map(({ word, scripts }) => `${word}: ${scripts}`),
  },
  {
    kind: 'unseen_characters',
    text: 'The name has characters that nobody can see, or that turn the direction of writing. Ask the owner to leave them out.',
    find: ({ name }) => unseenCharacters(name),
  },
  {
    kind: 'numeric_host',
    text: 'An address has a number in the place of a host name, so nobody can tell whose machine it is. Ask for a host name.',
    find: (proposal) => numericHosts(addressesOf(proposal)),
  },
  {
    kind: 'encoded_host',
    text: 'A host is written with other letters than a to z. Read it as people will see it, letter by letter.',
    find: (proposal) => encodedHosts(addressesOf(proposal)),
  },
  {
    kind: 'unusual_port',
    text: 'An address names a port, which public sites rarely do. Check that the app really lives there.',
    find: (proposal) => portedHosts(addressesOf(proposal)),
  },
  {
    kind: 'elsewhere',
    text: 'People are sent to another domain than that of the website. Check that both belong to the owner.',
    find: ({ websiteUrl, redirectUris }) =>
      websiteUrl === null ? [] : hostsElsewhere(websiteUrl, redirectUris),
  },
  {
    kind: 'plain_website',
    text: 'The website is on plain http, so anybody on the way can change what it shows. Ask for https.',
    find: ({ websiteUrl }) => (websiteUrl?.startsWith('http:') === true ? [websiteUrl] : []),
  },
  {
    kind: 'confidential_on_loopback',
    text: "A confidential app wants to be answered on a person's own machine, where no client secret can be kept. That is for development: ask what it is meant for.",
    find: ({ type, redirectUris }) => (type === 'confidential' ? plainLoopbacks(redirectUris) : []),
  },
  {
    kind: 'private_scheme',
    text: "Any app on a person's device can claim a private-use scheme. Check that this one is the reversed name of a domain of the owner.",
    find: ({ redirectUris }) => privateSchemes(redirectUris),
  },
  {
    kind: 'full_access',
    text: 'The app asks for full access. Check that its purpose needs that; with scopes it could ask for less.',
    find: ({ scopes }) => scopes === null,
  },
];

function addressesOf({ redirectUris, websiteUrl }: Proposal): readonly string[] {
  return websiteUrl === null ? redirectUris : [websiteUrl, ...redirectUris];
}

/** What a reviewer should look at before accepting these values. None of it decides anything: people do. */
export function warningsOf(proposal: Proposal, known: KnownNames): readonly Warning[] {
  return checks.flatMap(({ kind, text, find }) => {
    const found = find(proposal, known);
    const values = typeof found === 'boolean' ? [] : found;
    return found === true || values.length > 0 ? [{ kind, text, values }] : [];
  });
}
