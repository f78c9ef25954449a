import type { Person } from '../../accounts/person.ts';
import { momentsOf } from '../../moments.ts';
import type { Letter } from '../../outbox/letter.ts';
import { hostOfApp } from '../app-host.ts';
import type { Team } from '../core/authorization.ts';
import type { GrantedScopes } from '../core/scope.ts';
import { describePermissions } from '../permissions.ts';

/** What was allowed, for the letter about it. */
export interface NewConnection {
  readonly client: { readonly name: string; readonly websiteUrl: string | null };
  readonly redirectUri: string;
  readonly team: Team | null;
  readonly scopes: GrantedScopes;
}

/** To the user: an app that was not connected before may act from now on. Whoever did not allow it learns of it here. */
export function connectionLetter(
  { client, redirectUri, team, scopes }: NewConnection,
  person: Pick<Person, 'name' | 'email' | 'timeZone'>,
  now: Date,
  appUrl: string,
): Letter {
  const host = hostOfApp(client.websiteUrl, redirectUri);
  const permissions = describePermissions(scopes).map((words) => `- ${words}`);
  return {
    subject: `You connected ${client.name}`,
    blocks: [
      { kind: 'text', text: `Hello ${person.name}, you allowed an app to act for you:` },
      {
        kind: 'facts',
        facts: [
          ['App', client.name],
          ['From', host ?? 'an app on your own device'],
          ['Account', team === null ? person.email : `the team ${team.name}`],
          ['When', momentsOf(person.timeZone).momentOf(now)],
        ],
      },
      { kind: 'text', text: ['It may:', ...permissions].join('\n') },
      {
        kind: 'text',
        text: 'If that was you, there is nothing to do. If it was not, disconnect the app at once and change your password.',
      },
      { kind: 'link', words: 'Look at your connected apps', address: `${appUrl}/settings/apps` },
    ],
  };
}
