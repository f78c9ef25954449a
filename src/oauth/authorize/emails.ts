import { datesFor } from '../../accounts/emails.ts';
import type { Person } from '../../accounts/person.ts';
import type { Email } from '../../platform/mail/email.ts';
import { hostOfApp } from '../app-identity.ts';
import type { Team } from '../core/authorization.ts';
import type { GrantedScopes } from '../core/scope.ts';
import { describePermissions, type Permissions } from '../permissions.ts';
import type { NamedClient } from '../store.ts';

interface NewAccess {
  readonly client: Pick<NamedClient, 'id' | 'name' | 'websiteUrl'>;
  readonly redirectUri: string;
  readonly team: Team | null;
  readonly scopes: GrantedScopes;
  readonly resources: string | undefined;
}

export function newAccessEmail(
  { client, redirectUri, team, scopes, resources }: NewAccess,
  person: Person,
  now: Date,
  appUrl: string,
  permissions: Permissions,
): Email {
  return {
    subject: `You gave ${client.name} access to your account`,
    text: ['You approved an app:'],
    facts: [
      ['App', client.name],
      ['From', hostOfApp(client, redirectUri) ?? 'no website given'],
      ['Account', team === null ? person.email : `the team ${team.name}`],
      ...(resources === undefined ? [] : [['For', resources] as const]),
      ['When', datesFor(person).momentOf(now)],
      ['It can', describePermissions(permissions, scopes).join('\n')],
    ],
    button: { words: 'View connected apps', address: `${appUrl}/settings/apps` },
    advice: [
      'If this was you, no action is needed. If not, remove the app’s access and change your password.',
    ],
  };
}
