import type { Db } from '../../platform/database.ts';
import type { Role } from '../person.ts';

/** A group is a team or an organization: people with roles, and a way in by invitation. */
export interface GroupRef {
  readonly kind: 'team' | 'organization';
  readonly id: number;
}

/** Somebody in a group, as the rules see them. */
export interface Member {
  readonly id: number;
  readonly role: Role;
}

/** Somebody in a group, as the others see them. */
export interface NamedMember extends Member {
  readonly name: string;
  readonly email: string;
}

/**
 * Where the people of one kind of group are kept. Whoever changes anything locks the group first.
 */
export interface GroupStore {
  readonly kind: GroupRef['kind'];
  /**
   * Locks the group until the transaction ends, and answers its name; undefined when it is gone.
   */
  lock(tx: Db, id: number): Promise<{ readonly name: string } | undefined>;
  findName(db: Db, id: number): Promise<string | undefined>;
  /** The person's role; undefined when they are not in the group, or when there is none. */
  findRole(db: Db, id: number, userId: number): Promise<Role | undefined>;
  /** Owners first, members last, each by name. */
  listMembers(db: Db, id: number): Promise<readonly NamedMember[]>;
  /**
   * False when the person may not come in: they are in already, or in another group where only one
   * is possible.
   */
  addMember(tx: Db, id: number, userId: number, role: Role): Promise<boolean>;
  setRole(tx: Db, id: number, userId: number, role: Role): Promise<void>;
  removeMember(tx: Db, id: number, userId: number): Promise<void>;
  deleteGroup(tx: Db, id: number): Promise<void>;
}
