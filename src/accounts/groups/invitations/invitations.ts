import type { AuditContext } from '../../../platform/audit/context.ts';
import { recordAuditEvent } from '../../../platform/audit/store.ts';
import type { Db } from '../../../platform/database.ts';
import { minute } from '../../../platform/limits/limits.ts';
import { counted, isFirst, letterTo, spendAll } from '../../../platform/limits/store.ts';
import { type Email, renderEmail } from '../../../platform/mail/email.ts';
import { addToOutbox } from '../../../platform/mail/store.ts';
import { withoutLinks } from '../../../platform/plain-text.ts';
import type { Platform } from '../../../platform/platform.ts';
import { newUuid } from '../../../platform/runtime.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { Words } from '../../../platform/words.ts';
import { ok, type Refusal, refuse } from '../../../result.ts';
import { holdEmail, noticesTo, wordsFor } from '../../emails.ts';
import type { GroupKind, Person, Role } from '../../person.ts';
import { findAccount, lockUser } from '../../store.ts';
import { groupPage } from '../address.ts';
import { type Act, inGroup, tellOfRole } from '../changes.ts';
import { decideInviting, invitationDays, maxMembers, maxTeams, rolesWithin } from '../rules.ts';
import {
  addMember,
  countPeople,
  countTeams,
  eventOf,
  findMember,
  findRole,
  type GroupRef,
  lockGroup,
} from '../store.ts';
import {
  deleteInvitation,
  findInvitation,
  type Invitation,
  listOpenInvitations,
  putInvitation,
} from './store.ts';

/** Invites an address, or renews its invitation with a new link. */
export async function invite(
  app: Platform,
  act: Act,
  inviter: Person,
  { email, role }: { readonly email: string; readonly role: Role },
) {
  const now = app.runtime.now();
  const { group } = act;
  return inGroup(app.db, act, async (tx, actor, locked) => {
    const invitations = await listOpenInvitations(tx, group.id, now);
    const facts = {
      isMember: (await findMember(tx, group, { email })) !== undefined,
      open: invitations.find((invitation) => invitation.email === email),
      openCount: invitations.length,
    };
    const former = facts.open?.role;
    const decision = decideInviting(actor.role, role, facts);
    if (!decision.ok) return decision;
    // A form that is sent twice would end the link of its first email.
    const isNew = await isFirst(tx, ['invitation', String(group.id), email, role], minute, now);
    if (!isNew && former === role) return decision;
    // Counts apart from the invitation: deleting a group gives no emails back.
    await spendAll(tx, [counted('notable', ['invitation', inviter.id]), letterTo('invite', email)], now);
    const id = newUuid(app.runtime);
    await putInvitation(tx, { id, groupId: group.id, email, role, inviterId: inviter.id }, now);
    const reason = former === undefined || former === role ? role : `${former} to ${role}`;
    // protects: C211
    await recordAuditEvent(tx, act.by, { ...eventOf('invitation.sent', locked), objectId: id, reason });
    const address = invitationAddressOf(id, app);
    // Without an account here, a reader has no language of their own: it’s the inviter’s.
    const words = await wordsFor(app, (await findAccount(tx, email)) ?? inviter);
    const written = invitationEmail(group.kind, locked.name, inviter.name, address, words);
    await addToOutbox(tx, [renderEmail(written, email, app)], now, { cause: `email:user:${inviter.id}` });
    if (former !== role) await tellOfRole(app, tx, act, locked, { email, role, isInvited: true });
    return decision;
  });
}

/** The address may have no account, so names are shown without links (security C51). */
function invitationEmail(
  kind: GroupKind,
  groupName: string,
  inviterName: string,
  address: string,
  words: Words,
): Email {
  const { t } = words;
  const names = { inviter: withoutLinks(inviterName), group: withoutLinks(groupName) };
  return {
    words,
    priority: 'ordinary',
    subject: t('{inviter} invites you to join {group}', names),
    text: [
      t('{inviter} invites you to join the {kind, select, team {team} other {organization}} {group}.', {
        ...names,
        kind,
      }),
    ],
    button: { words: t('View invitation'), address, isPrivate: true },
    advice: [
      t(
        'The link works once and expires in {days, plural, one {# day} other {# days}}. Anyone who has it can use it, so don’t share it.',
        { days: invitationDays },
      ),
    ],
    footer: t(
      'You’re getting this email because someone invited you. If you don’t know them, you can ignore it.',
    ),
  };
}

/** Ends an invitation and its link. Repeated, it changes nothing. */
export async function withdrawInvitation(
  { db, runtime }: Pick<Platform, 'db' | 'runtime'>,
  act: Act,
  invitationId: string,
) {
  return inGroup(db, act, async (tx, { role }, group) => {
    const within = rolesWithin(role);
    if (within.length === 0) return refuse('not_allowed');
    const invitations = await listOpenInvitations(tx, act.group.id, runtime.now());
    const found = invitations.find(({ id }) => id === invitationId);
    if (found === undefined) return ok('withdrawn_before');
    if (!within.includes(found.role)) return refuse('not_allowed');
    await deleteInvitation(tx, invitationId);
    const withdrawn = { ...eventOf('invitation.withdrawn', group), objectId: invitationId };
    await recordAuditEvent(tx, act.by, withdrawn);
    return ok('withdrawn');
  });
}

/** Accepts an invitation. Members keep their role, and the invitation stays open. */
export async function acceptInvitation(
  app: Pick<Platform, 'config' | 'db' | 'languages' | 'runtime' | 'secrets'>,
  id: string,
  person: Person,
  by: AuditContext,
) {
  const { id: userId } = person;
  return answerInvitation(app.db, id, by.at, async (tx, { group, role }) => {
    if ((await findRole(tx, group, userId)) !== undefined) return refuse('already_member');
    await lockUser(tx, userId);
    const limit = await findLimit(tx, group, userId);
    if (limit !== undefined) return refuse(limit);
    if (!(await addMember(tx, group, userId, role))) return refuse('in_another_organization');
    await deleteInvitation(tx, id);
    await recordAuditEvent(tx, by, { ...eventOf('group.member_added', group), objectId: id, reason: role });
    const joined = joinedEmail(group, role, app.config.appUrl, await wordsFor(app, person));
    const notices = noticesTo(app, person, joined);
    await addToOutbox(tx, notices, by.at, { cause: `email:user:${userId}` }); // protects: C322
    return ok(group);
  });
}

/** Members host and show their free times, so a stranger in the account may have joined. */
function joinedEmail(
  ref: GroupRef & { readonly name: string },
  role: Role,
  appUrl: string,
  words: Words,
): Email {
  const { kind } = ref;
  const group = withoutLinks(ref.name);
  const text = words.t(
    'Your account joined the {kind, select, team {team} other {organization}} {group} with the role {role, select, owner {owner} admin {admin} other {member}}.',
    { kind, group, role },
  );
  return holdEmail(words.t('You joined {group}', { group }), text, groupPage(ref), appUrl, words);
}

/** Returns why someone can't join now; exact while both rows are locked. */
export async function findLimit(tx: Db, group: GroupRef, userId: number) {
  if ((await countPeople(tx, group)) >= maxMembers) return 'group_full';
  const isTeam = group.kind === 'team';
  return isTeam && (await countTeams(tx, { userId })) >= maxTeams ? 'too_many_teams' : undefined;
}

export async function declineInvitation(db: Db, id: string, by: AuditContext) {
  return answerInvitation(db, id, by.at, async (tx, { group }) => {
    await deleteInvitation(tx, id);
    return ok(await recordAuditEvent(tx, by, { ...eventOf('invitation.declined', group), objectId: id }));
  });
}

/** Answers, withdrawals and renewals take turns: one comes first, and the others find it done. */
async function answerInvitation<Outcome>(
  db: Db,
  id: string,
  now: Date,
  work: (tx: Db, invitation: Invitation) => Promise<Outcome>,
): Promise<Outcome | Refusal<'gone'>> {
  const seen = await findInvitation(db, id, now);
  if (seen === undefined) return refuse('gone');
  return db.transaction(async (tx) => {
    await lockGroup(tx, seen.group);
    const invitation = await findInvitation(tx, id, now);
    return invitation === undefined ? refuse('gone') : work(tx, invitation);
  });
}

const purpose = 'invitation';
const idBytes = 16;

export function invitationAddressOf(id: string, { config, secrets }: Pick<Platform, 'config' | 'secrets'>) {
  return `${config.appUrl}/invitations/${invitationTokenOf(id, secrets)}`;
}

/** Returns base64url(id ‖ MAC), which nobody can guess or read from the database. */
export function invitationTokenOf(id: string, secrets: Secrets): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, secrets.mac(purpose, bytes)]).toString('base64url');
}

export function readInvitationToken(token: string, secrets: Secrets): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const id = bytes.subarray(0, idBytes);
  if (id.length < idBytes || !secrets.isMac(purpose, id, bytes.subarray(idBytes))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
