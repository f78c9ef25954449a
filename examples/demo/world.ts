import { randomBytes, randomUUID } from 'node:crypto';
import { createGroup } from '../../src/accounts/groups/store.ts';
import type { WeekDay } from '../../src/accounts/person.ts';
import { createUser } from '../../src/accounts/store.ts';
import { reviewEmail } from '../../src/oauth/clients/emails.ts';
import { createClient, type NewClient } from '../../src/oauth/clients/store.ts';
import { toBase64url } from '../../src/oauth/core/bytes.ts';
import { clientSecretBytes, formatClientSecret, hashClientSecret } from '../../src/oauth/core/client.ts';
import { nameScopes } from '../../src/oauth/own-scopes.ts';
import { settleReview } from '../../src/oauth/review/store.ts';
import { systemContext } from '../../src/platform/audit/context.ts';
import { renderEmail } from '../../src/platform/mail/email.ts';
import { nodeHash, nodeRuntime } from '../../src/platform/runtime.ts';
import { createDemoCalendar, type DemoService } from './calendar.ts';

/** Everybody has the same password, which opens nothing but a demo on this machine. */
export const demoPassword = 'open sesame, demo';

export interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly username: string;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly isAdmin?: boolean;
}

const admin: DemoPerson = {
  email: 'admin@demo.example',
  name: 'Demo Admin',
  username: 'admin-of-the-demo',
  timeZone: 'Europe/London',
  weekStart: 'Monday',
  isAdmin: true,
};
export const person: DemoPerson = {
  email: 'person@demo.example',
  name: 'Demo Person',
  username: 'person',
  timeZone: 'Europe/Lisbon',
  weekStart: 'Monday',
};
const developer: DemoPerson = {
  email: 'developer@demo.example',
  name: 'Demo Developer',
  username: 'developer',
  timeZone: 'America/New_York',
  weekStart: 'Sunday',
};

export interface DemoWorld {
  readonly admin: DemoPerson;
  readonly teamOwner: DemoPerson;
  /** The developer of the clients is a member of the team. */
  readonly developer: DemoPerson;
  readonly team: { readonly slug: string; readonly name: string };
  readonly confidentialClient: { readonly id: string; readonly secret: string };
  readonly publicClient: { readonly id: string; readonly redirectUri: string };
}

export interface DemoAddresses {
  readonly appUrl: string;
  readonly redirectUri: string;
  /** The person has this calendar elsewhere. */
  readonly feedUrl: string;
}

/** Fills a new database with people, a team, calendars, and clients that may be used already. */
export async function createDemoWorld(
  service: DemoService,
  { appUrl, redirectUri, feedUrl }: DemoAddresses,
): Promise<DemoWorld> {
  const { db, secrets } = service;
  const now = new Date();
  const by = systemContext(now);
  const passwordHash = await service.app.passwords.hash(demoPassword);
  const addPerson = async (profile: DemoPerson): Promise<number> => {
    const created = await createUser(db, { ...profile, passwordHash, emailVerifiedAt: now }, by);
    if (!created.ok) throw new Error(created.reason);
    return created.value.id;
  };
  const reviewerId = await addPerson(admin);
  const personId = await addPerson(person);
  const developerId = await addPerson(developer);
  const team = { slug: 'garden', name: 'Garden Club' };
  const teamId = await createGroup(
    db,
    { kind: 'team', ...team },
    [
      { userId: personId, role: 'owner' },
      { userId: developerId, role: 'member' },
    ],
    now,
  );
  const host = { id: personId, timeZone: person.timeZone };
  const hosts = [host, { id: developerId, timeZone: developer.timeZone }];
  await createDemoCalendar(service, host, { id: teamId, hosts }, feedUrl);

  const addClient = async (
    client: Pick<NewClient, 'name' | 'purpose' | 'type' | 'redirectUris'>,
  ): Promise<{ readonly id: string; readonly secret: string }> => {
    const id = randomBytes(16).toString('hex');
    const secret = formatClientSecret(randomBytes(clientSecretBytes));
    const stored = {
      id: randomUUID(),
      secretHash: toBase64url(await hashClientSecret(secret, nodeHash)),
      hint: secret.slice(-4),
    };
    const registered = {
      ...client,
      id,
      ownerId: developerId,
      websiteUrl: 'https://tidy-week.example/',
      scopes: null,
      postLogoutRedirectUris: [],
      requiresPkce: false,
    };
    await createClient(db, registered, client.type === 'confidential' ? stored : undefined, [], by);
    const notice = renderEmail(reviewEmail('accepted', registered, null, appUrl), developer.email, {
      config: service.app.config,
      runtime: nodeRuntime,
      secrets,
    });
    await settleReview(
      db,
      { id, ownerId: developerId, revision: 1, status: 'pending', edit: null },
      {
        ...{ outcome: 'accepted', reason: null, reviewerId },
        acceptedScopes: nameScopes(null, service.app.permissions.known),
      },
      [notice],
      by,
    );
    return { id, secret };
  };
  const confidentialClient = await addClient({
    name: 'Tidy Week',
    purpose: 'Looks at your calendar and keeps your week in order.',
    type: 'confidential',
    redirectUris: [redirectUri],
  });
  const publicRedirectUri = 'http://localhost/callback';
  const { id: publicId } = await addClient({
    name: 'Tidy Week for the desktop',
    purpose: 'The same without a server, so that it keeps no secret.',
    type: 'public',
    redirectUris: [publicRedirectUri],
  });
  return {
    admin,
    teamOwner: person,
    developer,
    team,
    confidentialClient,
    publicClient: { id: publicId, redirectUri: publicRedirectUri },
  };
}
