import { ok, type Result, refuse } from '../../result.ts';
import { rolesWithin } from '../members/rules.ts';
import type { Role } from '../person.ts';

/** How long a link works. */
export const invitationDays = 7;
/** Of one team or organization at once. */
export const maxOpen = 50;
/** Between two letters to the same address. */
const pauseSeconds = 300;

/** An invitation that waits for its answer. */
export interface OpenInvitation {
  readonly id: string;
  readonly role: Role;
  /** When its letter was written. */
  readonly createdAt: Date;
}

export interface InvitingFacts {
  readonly isMember: boolean;
  /** To the same address; undefined when none is open. */
  readonly open: OpenInvitation | undefined;
  readonly openCount: number;
}

export type InvitingRefusal =
  | 'not_allowed'
  | 'role_not_allowed'
  | 'already_member'
  | 'invited_above'
  | 'too_many_open';

export type Inviting =
  | { readonly outcome: 'send' }
  /** The letter is minutes old: only the role may be another one. */
  | { readonly outcome: 'keep'; readonly id: string };

/**
 * May somebody in this role invite an address to that role? Whether the address has an account is
 * not among the facts, so the answer cannot tell. The limit comes last: a repeat within minutes
 * sends nothing, so nothing limits it.
 */
export function decideInviting(
  actor: Role,
  role: Role,
  { isMember, open, openCount }: InvitingFacts,
  now: Date,
): Result<Inviting, InvitingRefusal> {
  const within = rolesWithin(actor);
  if (within.length === 0) return refuse('not_allowed');
  if (!within.includes(role)) return refuse('role_not_allowed');
  if (isMember) return refuse('already_member');
  if (open !== undefined && !within.includes(open.role)) return refuse('invited_above');
  if (open !== undefined && now < maySendAgainAt(open)) return ok({ outcome: 'keep', id: open.id });
  if (open === undefined && openCount >= maxOpen) return refuse('too_many_open');
  return ok({ outcome: 'send' });
}

/** From when on the invitation may be sent once more. */
export function maySendAgainAt({ createdAt }: Pick<OpenInvitation, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + pauseSeconds * 1000);
}
