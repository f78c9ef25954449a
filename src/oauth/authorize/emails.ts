import { datesFor } from '../../accounts/emails.ts';
import type { Person } from '../../accounts/person.ts';
import type { Email } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Words } from '../../platform/words.ts';
import { hostOfApp } from '../app-identity.ts';
import type { Team } from '../core/authorization.ts';
import type { OwnScopes } from '../own-scopes.ts';
import { describePermissions, describeTeams } from '../permissions.ts';
import type { NamedClient } from '../store.ts';

interface NewAccess {
  readonly client: Pick<NamedClient, 'id' | 'name' | 'websiteUrl'>;
  readonly redirectUri: string;
  readonly team: Team | null;
  /** Those that the person manages. */
  readonly teams: readonly Team[];
  readonly scopes: OwnScopes;
  readonly resources: string | undefined;
  readonly person: Person;
  /** The person approved the app before, and hasn't removed its access since. */
  readonly isKnown: boolean;
}

export function newAccessEmail(
  { client, redirectUri, team, teams, scopes, resources, person, isKnown }: NewAccess,
  { config, permissions, runtime }: Pick<Platform, 'config' | 'permissions' | 'runtime'>,
  words: Words,
): Email {
  const { t, say } = words;
  return {
    words,
    subject: t(isKnown ? '{app} can do more in your account now' : 'You gave {app} access to your account', {
      app: client.name,
    }),
    text: [t('You approved an app:')],
    facts: [
      [t('App'), client.name],
      [t('Website'), hostOfApp(client, redirectUri) ?? t('none given')],
      [t('Account'), team === null ? person.email : t('the team {team}', { team: team.name })],
      ...(resources === undefined ? [] : [[t('For'), resources] as const]),
      [t('When'), datesFor(person, words).momentOf(runtime.now())],
      [
        t('It can'),
        [
          ...describePermissions(permissions, scopes, team === null ? 'person' : 'team').map(
            (one) => `• ${say(one)}`,
          ),
          ...(team === null ? describeTeams(teams, scopes, words) : []),
        ].join('\n'),
      ],
    ],
    button: { words: t('View connected apps'), address: `${config.appUrl}/settings/apps` },
    advice: [
      t('If this was you, no action is needed. If not, remove the app’s access and change your password.'),
    ],
  };
}
