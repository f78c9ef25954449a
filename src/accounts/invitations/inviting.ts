import type { Db } from '../../platform/database.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { type Act, inGroup } from '../members/changes.ts';
import type { Member } from '../members/group.ts';
import { rolesWithin } from '../members/rules.ts';
import type { Person, Role } from '../person.ts';
import { rateLimitOf } from '../rate-limits/limits.ts';
import { consumeOne, refundOne } from '../rate-limits/store.ts';
import { invitationEmail } from './emails.ts';
import { decideInviting, type InvitingRefusal as RuledOut } from './rules.ts';
import {
  addInvitation,
  countOpenInvitations,
  findInvitationTo,
  findOpenInvitation,
  keepInvitation,
  retireInvitation,
} from './store.ts';
import { mintInvitationToken } from './token.ts';

interface Wanted {
  readonly email: string;
  readonly role: Role;
}

/** Kept: its letter is minutes old, so nothing was sent. */
export type Sent = { readonly outcome: 'sent' | 'kept'; readonly id: string };

export type InvitingRefusal = RuledOut | 'too_many_letters';

/**
 * Invites an address into the group, or renews the invitation that it has: under a new link, so
 * that the one in the former letter ends. Invitation and letter are one transaction.
 */
export async function invite(
  app: Platform,
  act: Act,
  inviter: Person,
  wanted: Wanted,
): Promise<Result<Sent, InvitingRefusal | 'not_in_group'>> {
  const now = app.runtime.now();
  const invited = await inGroup<Sent, InvitingRefusal>(app.db, act, (tx, actor, { name }) =>
    sendInvitation(app, tx, { ...act, actor, inviter, groupName: name, now }, wanted),
  );
  if (invited.ok && invited.value.outcome === 'sent') app.mail.nudge();
  return invited;
}

/** Sends an open invitation once more, under a new link and for the whole time again. */
export async function inviteAgain(
  app: Platform,
  act: Act,
  inviter: Person,
  invitationId: string,
): Promise<Result<Sent, InvitingRefusal | 'not_in_group' | 'no_such_invitation'>> {
  const now = app.runtime.now();
  const group = { kind: act.store.kind, id: act.groupId };
  const invited = await inGroup<Sent, InvitingRefusal | 'no_such_invitation'>(
    app.db,
    act,
    async (tx, actor, { name }) => {
      const open = await findOpenInvitation(tx, group, invitationId, now);
      if (open === undefined) return refuse('no_such_invitation');
      return sendInvitation(app, tx, { ...act, actor, inviter, groupName: name, now }, open);
    },
  );
  if (invited.ok && invited.value.outcome === 'sent') app.mail.nudge();
  return invited;
}

interface Sending extends Act {
  readonly actor: Member;
  readonly inviter: Person;
  readonly groupName: string;
  readonly now: Date;
}

/** Load, decide, commit; the group is locked already. */
async function sendInvitation(
  app: Platform,
  tx: Db,
  { store, groupId, actor, inviter, groupName, now }: Sending,
  { email, role }: Wanted,
): Promise<Result<Sent, InvitingRefusal>> {
  const group = { kind: store.kind, id: groupId };
  const members = await store.listMembers(tx, groupId);
  const former = await findInvitationTo(tx, group, email);
  const openCount = await countOpenInvitations(tx, group, now);
  const open = former !== undefined && former.expiresAt > now ? former : undefined;
  const isMember = members.some((member) => member.email === email);
  const decision = decideInviting(actor.role, role, { isMember, open, openCount }, now);
  if (!decision.ok) return decision;
  if (decision.value.outcome === 'keep') {
    const { id } = decision.value;
    await keepInvitation(tx, id, role, inviter.id);
    return ok({ outcome: 'kept', id });
  }
  if (!(await takeEmail(tx, inviter.id, email, app, now))) return refuse('too_many_letters');
  if (former !== undefined) await retireInvitation(tx, group, former.id);
  const id = newUuid(app.runtime);
  await addInvitation(tx, { id, group, email, role, inviterId: inviter.id }, now);
  const address = `${app.config.appUrl}/invitations/${mintInvitationToken(id, app.secrets)}`;
  const letter = invitationEmail(store.kind, groupName, inviter.name, address);
  await addToOutbox(tx, [renderEmail(letter, email, app)], now);
  return ok({ outcome: 'sent', id });
}

/**
 * Counts a letter by its inviter and by its address, apart from the invitation: a group that is
 * deleted takes its invitations with it, but no letter back. False, and nothing counted, when there
 * were too many of either.
 */
async function takeEmail(
  tx: Db,
  inviterId: number,
  email: string,
  { secrets }: Pick<Platform, 'secrets'>,
  now: Date,
): Promise<boolean> {
  const byInviter = rateLimitOf({ kind: 'invitation_letter', parts: [String(inviterId)] }, secrets);
  const sent = await consumeOne(tx, byInviter, now);
  if (sent === undefined) return false;
  const toAddress = rateLimitOf({ kind: 'invited_address', parts: [email] }, secrets);
  if ((await consumeOne(tx, toAddress, now)) !== undefined) return true;
  await refundOne(tx, sent);
  return false;
}

/** Ends an invitation: its link opens nothing any more. Repeated, it changes nothing. */
export async function withdrawInvitation(
  { db, runtime }: Pick<Platform, 'db' | 'runtime'>,
  act: Act,
  invitationId: string,
): Promise<Result<'withdrawn' | 'withdrawn_before', 'not_allowed' | 'not_in_group'>> {
  const now = runtime.now();
  const group = { kind: act.store.kind, id: act.groupId };
  return inGroup(db, act, async (tx, { role }) => {
    if (rolesWithin(role).length === 0) return refuse('not_allowed');
    const open = await findOpenInvitation(tx, group, invitationId, now);
    if (open === undefined) return ok('withdrawn_before');
    if (!rolesWithin(role).includes(open.role)) return refuse('not_allowed');
    await retireInvitation(tx, group, invitationId);
    return ok('withdrawn');
  });
}
