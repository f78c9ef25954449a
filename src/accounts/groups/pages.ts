import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, focusOf } from '../../web/forms.ts';
import { type Page, sendNotFoundPage, sendPage, type Viewer } from '../../web/pages.ts';
import { readDone } from '../done.ts';
import { type GroupKind, isManagingRole, type Role } from '../person.ts';
import { maxOf } from '../rate-limits/limits.ts';
import { sessionOf } from '../sessions/session.ts';
import { linkTo, organizationAddressOf, type TeamInAddress, teamAddressOf } from './address.ts';
import type { Act } from './changes.ts';
import { readId } from './request.ts';
import {
  countOwners,
  decideRemoval,
  decideRoleChange,
  invitationDays,
  type Member,
  maxOpen,
  mayResendAt,
  rolesWithin,
} from './rules.ts';
import {
  findOwnGroup,
  type GroupRef,
  listMembers,
  listOpenInvitations,
  listOrganizationTeams,
  type NamedMember,
  type OwnGroup,
} from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/team': Page &
      GroupView & {
        readonly address: string;
        readonly href: string;
        readonly organizationName: string | undefined;
      };
    'accounts/organization': Page &
      GroupView & {
        readonly kindWords: string;
        readonly address: string;
        readonly teams: readonly {
          readonly name: string;
          /** Undefined where the viewer isn't a member. */
          readonly page: string | undefined;
          readonly address: string;
          readonly href: string;
        }[];
      };
    'accounts/group-members': Pick<GroupView, 'groupPath' | 'members'> & { readonly viewer: Viewer };
    'accounts/group-invitations': Omit<GroupView, 'members' | 'end' | 'done'> & { readonly viewer: Viewer };
    'accounts/group-end': Pick<GroupView, 'kind' | 'groupPath' | 'end'> & {
      readonly title: string;
      readonly viewer: Viewer;
    };
  }
}

/** A group as its page shows it to one of its members, with the invitation form as it was sent. */
interface GroupView extends FormFaults {
  readonly kind: GroupKind;
  /** What the paths of its actions begin with. */
  readonly groupPath: string;
  readonly roleWords: string;
  readonly mayManage: boolean;
  readonly done: string | undefined;
  readonly sendAgainAt: Date | undefined;
  readonly members: readonly (NamedMember & {
    readonly isSelf: boolean;
    /** The roles to choose from; empty where there is no choice. */
    readonly choices: readonly Role[];
    readonly mayRemove: boolean;
  })[];
  readonly end: {
    readonly heading: string;
    readonly mayLeave: boolean;
    readonly text: string;
    readonly mayDelete: boolean;
  };
  readonly hasMail: boolean;
  readonly focus: string | undefined;
  readonly emailHint: string;
  readonly chosenRole: string;
  readonly roleOptions: readonly (readonly [Role, Role])[];
  readonly roleHint: string;
  readonly invitations: readonly {
    readonly id: string;
    readonly email: string;
    readonly role: Role;
    readonly createdAt: Date;
    readonly expiresAt: Date;
    readonly inviterName: string;
    /** Set while it's too early. */
    readonly sendAgainAt: Date | undefined;
    readonly mayChange: boolean;
  }[];
}

export const homes = {
  team: '/settings/teams',
  organization: '/settings/organization',
} as const satisfies Record<GroupKind, string>;

/** A group's own page. */
export function pageOf({ kind, id }: GroupRef): string {
  return kind === 'team' ? `${homes.team}/${id}` : homes.organization;
}

/**
 * What the paths of a group's actions begin with. An organization's have its id, too: a page that
 * is still open from a former one must not change the present one.
 */
export function pathOf({ kind, id }: GroupRef): string {
  return `${homes[kind]}/${id}`;
}

/** What a form has done, shown on the group's own page. */
const doneWords = {
  invited: 'Invitation sent.',
  invited_before: 'We invited this address a few minutes ago.',
  withdrawn: 'Invitation withdrawn. Its link no longer works.',
  withdrawn_before: 'This invitation was no longer open.',
  role_saved: 'Role saved.',
  removed: 'Member removed.',
  saved: 'Changes saved.',
} as const;

/** What a form has done that leads out of the group. */
export const endWords = {
  team: { left: 'You left the team.', deleted: 'Team deleted.' },
  organization: { left: 'You left the organization.', deleted: 'Organization deleted.' },
} as const;

/** `invitation` is the id of the one that it's about. */
export function withDone(
  path: string,
  done: keyof typeof doneWords | keyof (typeof endWords)['team'],
  invitation?: string,
): string {
  return `${path}?done=${done}${invitation === undefined ? '' : `&invitation=${invitation}`}`;
}

export const roleWords = { owner: 'an owner', admin: 'an admin', member: 'a member' } as const;

type GroupRequest = FastifyRequest<{
  Params: { groupId: string; memberId?: string; invitationId?: string };
}>;

/** A route below a group's path; an address that no group has is a 404. */
export function inGroupRoute(
  kind: GroupKind,
  handle: (request: GroupRequest, reply: FastifyReply, act: Act) => Promise<FastifyReply>,
): (request: GroupRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const id = readId(request.params.groupId);
    if (id === undefined) return sendNotFoundPage(request, reply);
    return handle(request, reply, { group: { kind, id }, actorId: sessionOf(request).person.id });
  };
}

/** A group's own page; 404 for strangers. */
export async function sendGroup(
  request: FastifyRequest,
  reply: FastifyReply,
  { group, actorId }: Act,
  form: FormFaults = { typed: {}, faults: {} },
): Promise<FastifyReply> {
  const { config, db } = request.server;
  const own = await findOwnGroup(db, group, actorId);
  if (own === undefined) return sendNotFoundPage(request, reply);
  const focus = focusOf(form.faults, ['email', 'role']);
  const chosenRole = form.typed['role'] ?? 'member';
  const view = {
    title: own.name,
    ...(await describeGroup(request, own, actorId)),
    ...form,
    focus,
    chosenRole,
  };
  if (own.kind === 'team') {
    const organizationName = own.organization?.name;
    return sendPage(request, reply, 'accounts/team', { ...view, ...placeOf(own, config), organizationName });
  }
  const teams = await listOrganizationTeams(db, own.id, actorId);
  return sendPage(request, reply, 'accounts/organization', {
    ...view,
    kindWords: own.isPlatform ? 'Platform' : 'Regular',
    address: (own.isPlatform ? undefined : organizationAddressOf(own.slug, config)) ?? own.slug,
    teams: teams.map(({ id, name, slug, role }) => ({
      name,
      page: role === null ? undefined : pageOf({ kind: 'team', id }),
      ...placeOf({ slug, organization: own }, config),
    })),
  });
}

/** Where people book a team, and how our own pages link it. */
export function placeOf(team: TeamInAddress, config: FastifyRequest['server']['config']) {
  const address = teamAddressOf(team, config);
  return { address, href: linkTo(address, config) };
}

const leavingWords = {
  team: 'Apps you approved for this team lose access.',
  organization: 'You stay in your teams.',
} as const;

async function describeGroup(
  { server: { db, runtime, mail }, query }: FastifyRequest,
  { role, ...group }: OwnGroup,
  actorId: number,
): Promise<Omit<GroupView, keyof FormFaults | 'focus' | 'chosenRole'>> {
  const actor = { id: actorId, role };
  const { kind } = group;
  const now = runtime.now();
  const within = rolesWithin(role);
  const members = await listMembers(db, group);
  const open = isManagingRole(role) ? await listOpenInvitations(db, group.id, now) : [];
  const invitations = open.map((invitation) => ({
    ...invitation,
    sendAgainAt: now < mayResendAt(invitation) ? mayResendAt(invitation) : undefined,
    mayChange: within.includes(invitation.role),
  }));
  const mayLeave = decideRemoval(actor, actor, countOwners(members)).ok;
  const staying =
    members.length === 1
      ? `You're the only member. Delete the ${kind} instead.`
      : "You're the only owner. Make someone else an owner before you leave.";
  return {
    kind,
    groupPath: pathOf(group),
    roleWords: roleWords[role],
    mayManage: isManagingRole(role),
    done: readDone(query, doneWords),
    sendAgainAt: invitations.find(({ id }) => id === namedInvitation(query))?.sendAgainAt,
    members: describeMembers(actor, members),
    end: {
      heading: role === 'owner' ? 'Leave or delete' : 'Leave',
      mayLeave,
      text: mayLeave
        ? `You can only come back if someone invites you. Your open invitations end. ${leavingWords[kind]}`
        : staying,
      mayDelete: role === 'owner',
    },
    hasMail: mail.isConfigured,
    emailHint: `They get a link that works once, for ${invitationDays} days. They don't need an account yet.`,
    roleOptions: within.map((name) => [name, name]),
    roleHint: `Admins can invite and remove people, except owners.${role === 'owner' ? ' Owners can do everything.' : ''}`,
    invitations,
  };
}

/** The invitation that an address names, together with what was done. */
function namedInvitation(query: unknown): unknown {
  return typeof query === 'object' && query !== null && 'invitation' in query ? query.invitation : undefined;
}

function describeMembers(actor: Member, members: readonly NamedMember[]): GroupView['members'] {
  const owners = countOwners(members);
  return members.map((member) => {
    const choices = rolesWithin('owner').filter((role) => decideRoleChange(actor, member, role, owners).ok);
    const isSelf = member.id === actor.id;
    return {
      ...member,
      isSelf,
      choices: choices.length > 1 ? choices : [],
      mayRemove: !isSelf && decideRemoval(actor, member, owners).ok,
    };
  });
}

export const tooManyEmails = `You can send up to ${maxOf('invitation_email')} invitations an hour, and up to ${maxOf('invited_address')} an hour to one address. Try again later.`;

const refusals = {
  not_allowed: {
    status: 403,
    title: "You don't have permission",
    text: 'Nothing was changed. Ask an owner or admin.',
  },
  last_owner: {
    status: 409,
    title: 'You are the only owner',
    text: 'Nothing was changed. Make someone else an owner first.',
  },
  no_such_member: {
    status: 409,
    title: 'Member not found',
    text: 'They left or were removed. Nothing was changed.',
  },
  no_such_invitation: {
    status: 409,
    title: 'Invitation no longer open',
    text: 'It was answered or withdrawn, or it has expired. You can invite the address again.',
  },
  too_many_emails: { status: 429, title: 'Too many invitations', text: tooManyEmails },
  already_member: {
    status: 409,
    title: 'Already a member',
    text: "Someone with this address has joined, so we didn't send anything. You can withdraw the invitation.",
  },
  too_many_open: {
    status: 409,
    title: 'Too many open invitations',
    text: `Up to ${maxOpen} can be open. Withdraw one, or wait until one is answered.`,
  },
} as const;

/** Says why something in a group couldn't be done, with a way back; a 404 for strangers. */
export async function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  reason: keyof typeof refusals | 'not_in_group',
  group: GroupRef,
): Promise<FastifyReply> {
  if (reason === 'not_in_group') return sendNotFoundPage(request, reply);
  const { status, ...words } = refusals[reason];
  const next = { address: pageOf(group), words: 'Back' };
  return sendPage(request, reply.code(status), 'error', { ...words, next });
}
