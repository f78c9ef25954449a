import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import type { Sentence, Words } from '../../platform/words.ts';
import { orNotFound, sendNotFoundPage, sendRefusalPage } from '../../web/error-pages.ts';
import { type FormFaults, searchText, untouched } from '../../web/forms.ts';
import { linksOf } from '../../web/navigation.ts';
import { outcomeOf } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { type GroupKind, isManagingRole } from '../person.ts';
import { publicPagesOf } from '../public-pages.ts';
import { auditContextOf, isRecentSignIn, sessionOf } from '../sessions/session.ts';
import { groupPage, linkTo, pathOf } from './address.ts';
import type { Act } from './changes.ts';
import { invitationAddressOf } from './invitations/invitations.ts';
import { listOpenInvitations } from './invitations/store.ts';
import { decideRemoval, decideRoleChange, invitationDays, type Member, rolesWithin } from './rules.ts';
import {
  countOwners,
  countPeople,
  findOwnGroup,
  type GroupRef,
  listManagingApps,
  listMembers,
  listOrganizationTeams,
  type NamedMember,
  type OwnGroup,
} from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/group': Page & Awaited<ReturnType<typeof describeGroup>>;
  }
}

const doneWords = {
  invited: 'Invitation created. Copy its link below, and send it yourself.',
  joined: 'You joined.',
  withdrawn: 'Invitation withdrawn. Its link no longer works.',
  withdrawn_before: 'This invitation was no longer open.',
  role_saved: 'Role saved.',
  removed: 'Member removed.',
  managed_ended: 'The app’s users are being deleted.',
  saved: 'Changes saved.',
} as const satisfies Record<string, Sentence>;

export const endWords = {
  team: { left: 'You left the team.', deleted: 'Team deleted.' },
  organization: { left: 'You left the organization.', deleted: 'Organization deleted.' },
} as const satisfies Record<GroupKind, Record<string, Sentence>>;

export function withGroupOutcome(
  path: string,
  done: keyof typeof doneWords | keyof (typeof endWords)['team'],
): string {
  return `${path}?done=${done}`;
}

export function actIn(kind: GroupKind, request: FastifyRequest, { groupId: id }: { groupId: number }): Act {
  return { group: { kind, id }, actorId: sessionOf(request).person.id, by: auditContextOf(request) };
}

/** Sends a group's page, with the invitation form as it was sent; 404 for strangers. */
export async function sendGroup(
  reply: FastifyReply,
  { group, actorId }: Omit<Act, 'by'>,
  form = untouched,
): Promise<FastifyReply> {
  const { request } = reply;
  const { db, mail } = request.server;
  const own = orNotFound(await findOwnGroup(db, group, actorId));
  const { t } = request.words;
  const sent = mail.isConfigured ? { invited: t('Invitation sent.') } : {};
  const joined = t('You joined {name}.', { name: own.name });
  request.outcome = outcomeOf(request.query, { ...doneWords, joined, ...sent });
  return sendPage(reply, 'accounts/group', await describeGroup(request, own, actorId, form));
}

export function describePlace(
  team: Pick<OwnGroup, 'slug' | 'organization'>,
  { parts, config }: Pick<Platform, 'parts' | 'config'>,
) {
  const address = publicPagesOf(parts)?.teamAddress(team, config);
  return {
    organizationName: team.organization?.name,
    page: address === undefined ? undefined : { address, href: linkTo(address, config) },
  };
}

async function describeOrganization(
  { db, config, parts, findAppNames }: FastifyInstance,
  own: OwnGroup,
  actorId: number,
  { t }: Words,
) {
  const teams = await listOrganizationTeams(db, own.id, actorId);
  const apps = own.isPlatform ? await listManagingApps(db, own) : [];
  const names = await findAppNames(apps.map(({ clientId }) => clientId));
  const managed = apps.reduce((sum, { users }) => sum + users, 0);
  return {
    kind: own.isPlatform ? 'platform' : 'regular',
    address:
      (own.isPlatform ? undefined : publicPagesOf(parts)?.organizationAddress(own.slug, config)) ?? own.slug,
    managedUsers: managed,
    managingApps: (own.role === 'owner' ? apps : []).map(({ clientId, users }) => ({
      clientId,
      name: names.get(clientId) ?? t('A deleted app'),
      users,
    })),
    teams: teams.map(({ id, name, slug, role }) => ({
      name,
      home: role === null ? undefined : groupPage({ kind: 'team', id }),
      ...describePlace({ slug, organization: own }, { parts, config }),
    })),
  };
}

export const leavingWords = {
  team: 'Apps you approved for this team lose access.',
  organization: 'You stay in your teams.',
} as const satisfies Record<GroupKind, Sentence>;

async function describeGroup(request: FastifyRequest, own: OwnGroup, actorId: number, form: FormFaults) {
  const { server, query, words } = request;
  const { t } = words;
  const { db, runtime } = server;
  const { role, ...group } = own;
  const actor = { id: actorId, role };
  const { kind } = group;
  const now = runtime.now();
  const within = rolesWithin(role);
  const mayManage = isManagingRole(role);
  const isRecent = isRecentSignIn(sessionOf(request), now);
  const asked = membersQuery.parse(query);
  const { page, q } = asked;
  const search = q === '' ? undefined : { text: q, isByEmail: mayManage };
  const window = { take: membersOfPage + 1, skip: (page - 1) * membersOfPage, search };
  const [members, people, owners] = await Promise.all([
    listMembers(db, group, window),
    countPeople(db, group, membersOfPage + 1),
    countOwners(db, group),
  ]);
  const open = mayManage ? await listOpenInvitations(db, group.id, now) : [];
  const invitations = open.map((invitation) => ({
    ...invitation,
    mayChange: within.includes(invitation.role),
    // A link gives its role to anyone, so who sees it could have invited them (security C323).
    link:
      within.includes(invitation.role) && isRecent // protects: C323
        ? invitationAddressOf(invitation.id, server)
        : undefined,
  }));
  const pages = kind === 'team' ? publicPagesOf(server.parts) : undefined;
  const mayLeave = decideRemoval(actor, actor, owners).ok;
  const staying =
    people === 1
      ? t('You’re the only member. Delete the {kind, select, team {team} other {organization}} instead.', {
          kind,
        })
      : t('You’re the only owner. Make someone else an owner before you leave.');
  const { role: chosenRole = 'member' } = form.typed;
  return {
    kind,
    title: group.name,
    place: kind === 'team' ? describePlace(own, server) : undefined,
    organization: kind === 'team' ? undefined : await describeOrganization(server, own, actorId, words),
    things: await pages?.findOfTeam(server, group.id),
    groupPath: pathOf(group),
    groupPage: groupPage(group),
    role,
    mayManage,
    links: kind === 'team' ? linksOf(server.parts, kind, pathOf(group)) : [],
    members: describeMembers(actor, members.slice(0, membersOfPage), owners, words),
    search: people > membersOfPage || q !== '' ? q : undefined,
    searchHint: mayManage ? t('Part of a name or an email address.') : t('Part of a name.'),
    previousPage: page > 1 ? pageOfMembers(group, { ...asked, page: page - 1 }) : undefined,
    nextPage: members.length > membersOfPage ? pageOfMembers(group, { ...asked, page: page + 1 }) : undefined,
    end: {
      heading: role === 'owner' ? t('Leave or delete') : t('Leave'),
      mayLeave,
      text: mayLeave ? '' : staying,
      mayDelete: role === 'owner',
    },
    ...form,
    emailHint: t('They get a link that works once, for {days} days. They don’t need an account yet.', {
      days: invitationDays,
    }),
    chosenRole,
    roleOptions: within.map((name) => [name, titleOf(name, words)] as const),
    roleHint: [
      t('Admins can invite and remove people, except owners.'),
      ...(role === 'owner' ? [t('Owners can do everything.')] : []),
    ].join(' '),
    invitations,
  };
}

const titleOf = (role: Member['role'], { t }: Words): string =>
  t('{role, select, owner {Owner} admin {Admin} other {Member}}', { role });

const membersOfPage = 100; // protects: C263
const membersQuery = z.object({
  q: searchText,
  page: z.coerce.number().int().min(1).max(10_000).catch(1),
});

function pageOfMembers(group: GroupRef, { q, page }: z.output<typeof membersQuery>): string {
  return `${groupPage(group)}?${new URLSearchParams({ q, page: String(page) })}`;
}

function describeMembers(actor: Member, members: readonly NamedMember[], owners: number, words: Words) {
  const mayManage = isManagingRole(actor.role);
  return members.map(({ email, ...member }) => {
    const choices = rolesWithin('owner').filter((role) => decideRoleChange(actor, member, role, owners).ok);
    const isSelf = member.id === actor.id;
    return {
      ...member,
      isSelf,
      /** Members see the email addresses of others only if they manage them, as in the API. */
      email: mayManage || isSelf ? email : undefined, // protects: C119
      choices: choices.length > 1 ? choices.map((role) => [role, titleOf(role, words)] as const) : [],
      mayRemove: !isSelf && decideRemoval(actor, member, owners).ok,
    };
  });
}

const refusals = {
  not_allowed: [403, 'You don’t have permission', 'Nothing was changed. Ask an owner or admin.'],
  last_owner: [409, 'You are the only owner', 'Nothing was changed. Make someone else an owner first.'],
  no_such_member: [409, 'Member not found', 'They left or were removed. Nothing was changed.'],
} as const satisfies Record<string, readonly [status: number, title: Sentence, text: Sentence]>;

/** Sends a page that says why a change to a group failed; a 404 for strangers. */
export async function sendRefusal(
  reply: FastifyReply,
  reason: keyof typeof refusals | 'not_in_group',
  group: GroupRef,
): Promise<FastifyReply> {
  if (reason === 'not_in_group') return sendNotFoundPage(reply);
  const { say, t } = reply.request.words;
  const [status, title, text] = refusals[reason];
  return sendRefusalPage(reply, [status, say(title), say(text)], {
    address: groupPage(group),
    words: t('View {kind, select, team {team} other {organization}}', { kind: group.kind }),
  });
}
