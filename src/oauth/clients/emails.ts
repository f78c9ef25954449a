import type { Person } from '../../accounts/person.ts';
import type { Card, Email } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import { segmentOf } from '../client-id.ts';
import { describePermissions, type Permissions } from '../permissions.ts';
import type { ClientValues } from './edits/change.ts';
import { shortenUri } from './form.ts';
import { clientPage } from './own-client.ts';
import type { ClientEventKind, ReviewOutcome } from './status.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Submitted
  extends Named,
    Pick<ClientValues, 'redirectUris' | 'postLogoutRedirectUris' | 'scopes'> {
  readonly owner: Pick<Person, 'name' | 'email'> | null;
}

const reviewWords = {
  submitted: ['Review requested', 'A new app was submitted for review.'],
  resubmitted: ['Review requested again', 'A rejected app was corrected and resubmitted for review.'],
  edit_submitted: [
    'Changes to review',
    'An approved app has changes to review. It stays as it is until they’re approved.',
  ],
} as const satisfies Partial<Record<ClientEventKind, readonly [subject: string, text: string]>>;

/** Every admin gets this email, with the values that the client would have (contract §2). */
export function reviewRequestEmail(
  kind: keyof typeof reviewWords,
  client: Submitted,
  { config, permissions }: Pick<Platform, 'config' | 'permissions'>,
  changes: readonly string[] = [],
): Email {
  const [subject, text] = reviewWords[kind];
  const changed = changes.length === 0 ? [] : [['Changed', changes.join(', ')] as const];
  return {
    priority: 'review',
    subject: `${subject}: ${client.name}`,
    text: [text],
    facts: [...changed, ...factsOf(client, permissions)],
    button: { words: 'Review app', address: `${config.appUrl}/settings/admin/oauth/${segmentOf(client.id)}` },
  };
}

/** Long URIs are shortened. An address has its own line, so that no name turns it around. */
function factsOf(client: Submitted, permissions: Permissions): Card['facts'] {
  const { id, owner, redirectUris, postLogoutRedirectUris: ofLogout, scopes } = client;
  const signOut = [['Sign-out URIs', ofLogout.map(shortenUri).join('\n')]] as const;
  return [
    owner === null ? ['Metadata document', shortenUri(id)] : ['Owner', `${owner.name}\n${owner.email}`],
    ['Redirect URIs', redirectUris.map(shortenUri).join('\n')],
    ...(ofLogout.length > 0 ? signOut : []),
    ['Permissions', scopes === null ? 'Full access' : describePermissions(permissions, scopes).join('\n')],
  ];
}

/**
 * A stranger in the account may have deleted it, so the owner is told. The same holds for secrets.
 */
export function deletionEmail(client: Named): Email {
  return {
    subject: `${client.name} was deleted`,
    text: [
      `Your app ${client.name} was deleted. Users can no longer connect it, and all its tokens were revoked.`,
    ],
    facts: [['Client ID', client.id]],
    advice: ['If this wasn’t you, change your password and sign out sessions that you don’t recognize.'],
  };
}

const secretWords = {
  added: (name, hint) => [
    `A secret was added to ${name}`,
    `Your app ${name} has a new client secret, which ends in ${hint}.`,
    'If this wasn’t you, delete that secret and change your password.',
  ],
  deleted: (name, hint) => [
    `A secret of ${name} was deleted`,
    `The client secret of your app ${name} that ended in ${hint} was deleted and no longer works.`,
    'If this wasn’t you, change your password and give your app another secret.',
  ],
} as const satisfies Record<
  string,
  (name: string, hint: string) => readonly [subject: string, text: string, advice: string]
>;

export function secretEmail(
  event: keyof typeof secretWords,
  { id, name }: Named,
  hint: string,
  appUrl: string,
): Email {
  const [subject, text, advice] = secretWords[event](name, hint);
  const button = { words: 'View secrets', address: `${appUrl}${clientPage(id)}/secrets` };
  return { subject, text: [text], button, advice: [advice] };
}

/** The owner learns what an admin decided, and the reason for a rejection (contract §2). */
export function reviewEmail(
  outcome: ReviewOutcome,
  client: Named,
  reason: string | null,
  appUrl: string,
): Email {
  const [subject, says, next] = words[outcome](client.name);
  return {
    priority: 'review',
    subject,
    text: [says],
    quote: reason ?? undefined,
    button: { words: 'View app', address: `${appUrl}${clientPage(client.id)}` },
    advice: next === undefined ? [] : [next],
  };
}

const words = {
  accepted: (name) => [`${name} was approved`, 'Users can connect your app now.'],
  rejected: (name) => [
    `${name} was rejected`,
    `Your app ${name} was reviewed and rejected. The reviewer’s reason:`,
    'You can fix it and resubmit it.',
  ],
  edit_accepted: (name) => [
    `The changes to ${name} were approved`,
    'The changes to your app are live now. Connected users stay connected.',
  ],
  edit_rejected: (name) => [
    `The changes to ${name} were rejected`,
    `The changes to your app ${name} were reviewed and rejected. The reviewer’s reason:`,
    'Your app keeps its approved values. You can fix the changes and resubmit them.',
  ],
  suspended: (name) => [
    `${name} was suspended`,
    `Your app ${name} was suspended. All access that users had given it was revoked, and users can’t connect it until it’s approved again. The reviewer’s reason:`,
    'You can fix it and resubmit it. Once approved, users need to connect it again.',
  ],
} as const satisfies Record<ReviewOutcome, (name: string) => readonly [string, string, string?]>;
