import type { Person } from '../../accounts/person.ts';
import { dateWordsOf } from '../../platform/locale.ts';
import type { Email } from '../../platform/mail/email.ts';
import { hostOfApp } from '../app-identity.ts';
import type { Team } from '../core/authorization.ts';
import type { GrantedScopes } from '../core/scope.ts';
import { describePermissions } from '../permissions.ts';

export interface NewAccess {
  readonly client: { readonly name: string; readonly websiteUrl: string | null };
  readonly redirectUri: string;
  readonly team: Team | null;
  readonly scopes: GrantedScopes;
}

/** A stranger's approval shows up here. */
export function newAccessEmail(
  { client, redirectUri, team, scopes }: NewAccess,
  person: Pick<Person, 'name' | 'email' | 'timeZone'>,
  now: Date,
  appUrl: string,
): Email {
  const permissions = describePermissions(scopes).map((words) => `- ${words}`);
  return {
    subject: `You gave ${client.name} access to your account`,
    blocks: [
      { kind: 'text', text: `Hi ${person.name}, you approved an app:` },
      {
        kind: 'facts',
        facts: [
          ['App', client.name],
          ['From', hostOfApp(client.websiteUrl, redirectUri) ?? 'an app on your device'],
          ['Account', team === null ? person.email : `the team ${team.name}`],
          ['When', dateWordsOf({ timeZone: person.timeZone }).momentOf(now)],
        ],
      },
      { kind: 'text', text: ['It can:', ...permissions].join('\n') },
      {
        kind: 'text',
        text: "If this was you, no action is needed. If not, remove the app's access and change your password.",
      },
      { kind: 'link', words: 'View connected apps', address: `${appUrl}/settings/apps` },
    ],
  };
}
