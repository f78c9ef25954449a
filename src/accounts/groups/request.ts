import { z } from 'zod';
import { lineOf, rowId } from '../../web/forms.ts';
import { email, isReservedName } from '../fields.ts';
import { type GroupKind, groupKinds, roles } from '../person.ts';

const role = z.enum(roles, { error: 'Choose a role from the list.' });

/** A new role for a member. */
export const roleForm = z.object({ role });

export const invitationForm = z.object({ email, role });

/** Finds the group of an answered invitation; only to find the way when the invitation is gone. */
export const answerForm = z.object({ kind: z.enum(groupKinds), group: rowId });

/** What is typed before a deletion. */
export const confirmationForm = z.object({ confirmation: lineOf(200, 'Enter the name.') });

const groupParams = z.object({ groupId: rowId });

/** Addresses below a group's; one that nothing can have is a 404. */
export const ofGroup = { schema: { params: groupParams } };
export const ofMember = { schema: { params: groupParams.extend({ memberId: rowId }) } };
export const ofInvitation = {
  schema: { params: groupParams.extend({ invitationId: z.uuid().lowercase() }) },
};

/** Part of an address: a DNS label, too (RFC 1123 §2.1). */
function slugOf(max: number): z.ZodType<string> {
  return lineOf(max, 'Enter an address.')
    .transform((text) => text.toLowerCase())
    .pipe(
      z
        .string()
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
          error: 'Use letters and digits, with single dashes in between.',
        })
        .refine((text) => !isReservedName(text), {
          error: 'This address is reserved. Choose another.',
        }),
    );
}

/** For people who can't change the slug. */
export const nameForm = z.object({ name: lineOf(80, 'Enter a name.') });

export const maxSlugLength = { team: 40, organization: 63 } as const satisfies Record<GroupKind, number>;

/** An organization's slug is a DNS label, so 63 characters at most (RFC 1035 §2.3.4). */
export const groupForms = {
  team: nameForm.extend({ slug: slugOf(maxSlugLength.team) }),
  organization: nameForm.extend({ slug: slugOf(maxSlugLength.organization) }),
};

type NewGroupFields = {
  readonly name: string;
  readonly slug: string;
  readonly in_organization?: 'yes' | undefined;
  readonly kind?: 'regular' | 'platform' | undefined;
};

/** A team can belong to its creator's organization; an organization's kind never changes. */
export const newGroupForms: Record<GroupKind, z.ZodType<NewGroupFields>> = {
  team: groupForms.team.extend({
    in_organization: z.literal('yes', { error: 'Select or clear this.' }).optional(),
  }),
  organization: groupForms.organization.extend({
    kind: z.enum(['regular', 'platform'], { error: 'Choose a kind.' }),
  }),
};
