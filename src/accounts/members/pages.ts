import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../../platform/platform.ts';
import type { FormFaults } from '../../web/forms.ts';
import { sendNotFoundPage, sendPage } from '../../web/pages.ts';
import { readDone } from '../done.ts';
import { describeInvitations } from '../invitations/pages.ts';
import { maxOpen } from '../invitations/rules.ts';
import { listOpenInvitations } from '../invitations/store.ts';
import type { Role } from '../person.ts';
import { maxOf } from '../rate-limits/limits.ts';
import { sessionOf } from '../sessions/session.ts';
import type { Act } from './changes.ts';
import { groupDoneWords } from './done.ts';
import type { GroupStore, Member, NamedMember } from './group.ts';
import { readId } from './request.ts';
import { countOwners, decideRemoval, decideRoleChange, mayManage, rolesWithin } from './rules.ts';

/** How one kind of group is shown; what its people do is the same for all. */
export interface GroupPages {
  readonly store: GroupStore;
  /** Where one's groups of this kind are shown; what is done in one goes to `home/id/…`. */
  readonly home: string;
  pathOf(id: number): string;
  /** The group's own page, with the invitation form as it was typed; 404 for strangers. */
  show(
    request: FastifyRequest,
    reply: FastifyReply,
    id: number,
    invitation?: FormFaults,
  ): Promise<FastifyReply>;
}

export interface GroupRoute {
  Params: { groupId: string };
}

/**
 * What the signed-in person is about to do in the group of the address; undefined for an address
 * that no group has.
 */
export function readAct(store: GroupStore, request: FastifyRequest<GroupRoute>): Act | undefined {
  const groupId = readId(request.params.groupId);
  return groupId === undefined ? undefined : { store, groupId, actorId: sessionOf(request).person.id };
}

/**
 * A group as its own page shows it to one of its people: the others, the open invitations, and what
 * may be done with them.
 */
export async function describeGroup(
  { db, runtime, mail }: Pick<Platform, 'db' | 'runtime' | 'mail'>,
  { store, home }: Pick<GroupPages, 'store' | 'home'>,
  id: number,
  actor: Member,
  query: unknown,
) {
  const members = await store.listMembers(db, id);
  const isManager = mayManage(actor.role);
  const now = runtime.now();
  const open = isManager ? await listOpenInvitations(db, { kind: store.kind, id }, now) : [];
  const invitations = describeInvitations(actor.role, open, now);
  return {
    hasMail: mail.isConfigured,
    done: readDone(query, groupDoneWords),
    sendAgainAt: invitations.find((invitation) => invitation.id === namedInvitation(query))?.sendAgainAt,
    groupPath: `${home}/${id}`,
    members: describeMembers(actor, members),
    mayManage: isManager,
    mayLeave: mayLeave(actor, members),
    invitations,
    invitableRoles: rolesWithin(actor.role),
  };
}

/** The invitation that the address names, with what was done about it. */
function namedInvitation(query: unknown): unknown {
  return typeof query === 'object' && query !== null && 'invitation' in query ? query.invitation : undefined;
}

/** A member as a page shows them to somebody who may do this and that with them. */
interface MemberRow extends NamedMember {
  readonly isSelf: boolean;
  /** The roles to choose from; empty where nothing can be chosen. */
  readonly choices: readonly Role[];
  readonly mayRemove: boolean;
}

/** The members of a group, and what the actor may do with each of them. */
function describeMembers(actor: Member, members: readonly NamedMember[]): readonly MemberRow[] {
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

/** Whether somebody may leave the group: the last owner may not. */
function mayLeave(actor: Member, members: readonly NamedMember[]): boolean {
  return decideRemoval(actor, actor, countOwners(members)).ok;
}

/** Why something in a group could not be done, and how to go on. */
const refusalWords = {
  not_allowed: {
    status: 403,
    title: 'Your role does not allow this',
    text: 'Nothing was changed. Ask an owner or an admin to do it, if it should be done.',
  },
  last_owner: {
    status: 409,
    title: 'Somebody has to be the owner',
    text: 'Nothing was changed, because nobody else would be an owner. Make somebody else an owner first.',
  },
  no_such_member: {
    status: 409,
    title: 'This person is not there any more',
    text: 'They left or were removed while this page was open. Nothing was changed.',
  },
  no_such_invitation: {
    status: 409,
    title: 'This invitation is not open any more',
    text: 'It was answered, withdrawn or has run out. Nothing was sent. You can invite the address again.',
  },
  too_many_letters: {
    status: 429,
    title: 'You have sent many invitations',
    text: `At most ${maxOf('invitation_letter')} emails go out within an hour, and ${maxOf('invited_address')} to one address, so this one did not. Try again later.`,
  },
  already_member: {
    status: 409,
    title: 'This person has joined already',
    text: 'Somebody with this address is a member by now, so nothing was sent. You can withdraw the invitation.',
  },
  too_many_open: {
    status: 409,
    title: 'Too many invitations are open',
    text: `At most ${maxOpen} can be open at once. Withdraw one first, or wait until one is answered.`,
  },
} as const;

/**
 * The error page for what could not be done, with the way back. For whoever is not in the group
 * there is no group.
 */
export async function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  reason: keyof typeof refusalWords | 'not_in_group',
  address: string,
): Promise<FastifyReply> {
  if (reason === 'not_in_group') return sendNotFoundPage(request, reply);
  const { status, ...words } = refusalWords[reason];
  const next = { address, words: 'Back' };
  return sendPage(request, reply.code(status), 'error', { ...words, next });
}
