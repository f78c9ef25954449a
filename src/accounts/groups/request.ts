import { z } from 'zod';
import { formOf, lineOf, readForm, rowId } from '../../web/forms.ts';
import { email, isReservedName, tokenParams } from '../fields.ts';
import { type GroupKind, groupKinds, roles } from '../person.ts';

const role = z.enum(roles, { error: 'Choose a role from the list.' });

/** Finds the group of an answered invitation; only to find the way when the invitation is gone. */
const answerForm = z
  .object({ kind: z.enum(groupKinds), group: rowId })
  .transform(({ kind, group: id }) => ({ kind, id }));

/** Addresses below a group's; one that nothing can have is a 404. */
const params = z.object({ groupId: rowId });
const memberParams = params.extend({ memberId: rowId });
export const ofGroup = { schema: { params } };
export const ofMember = { schema: { params: memberParams } };
export const ofInvitation = { schema: { params: params.extend({ invitationId: z.uuid().lowercase() }) } };
export const ofLink = { schema: { params: tokenParams } };

export const inviting = { schema: { params, body: formOf(z.object({ email, role })) } };
export const accepting = { schema: { params: tokenParams, body: formOf(answerForm) } };
/** The app may have been deleted meanwhile. */
const managing = z.object({ client_id: z.string().max(2000) });
export const endingUsers = { schema: { params, body: formOf(managing) } };
/** A new role for a member. */
export const changingRole = { schema: { params: memberParams, body: formOf(z.object({ role })) } };
/** What is typed before a deletion. */
const confirmation = lineOf(200, 'Enter the name.');
export const deleting = { schema: { params, body: formOf(z.object({ confirmation })) } };

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
const nameForm = z.object({ name: lineOf(80, 'Enter a name.') });

export const maxSlugLength = { team: 40, organization: 63 } as const satisfies Record<GroupKind, number>;

/** An organization's slug is a DNS label, so 63 characters at most (RFC 1035 §2.3.4). */
export const groupForms = {
  team: nameForm.extend({ slug: slugOf(maxSlugLength.team) }),
  organization: nameForm.extend({ slug: slugOf(maxSlugLength.organization) }),
};

/** Which form it is, the sender's role decides. */
export function editOf(kind: GroupKind) {
  const body = z.unknown().transform((sent) => ({
    withSlug: readForm(groupForms[kind], sent),
    withoutSlug: readForm(nameForm, sent),
  }));
  return { schema: { params, body } };
}

/** A team can belong to its creator's organization; an organization's kind never changes. */
export const newGroupForms = {
  team: groupForms.team
    .extend({ in_organization: z.literal('yes', { error: 'Select or clear this.' }).optional() })
    .transform(({ in_organization: within, ...names }) => ({
      ...names,
      ...{ isPlatform: false, isInOrganization: within === 'yes' },
    })),
  organization: groupForms.organization
    .extend({ kind: z.enum(['regular', 'platform'], { error: 'Choose a kind.' }) })
    .transform(({ kind, ...names }) => ({
      ...names,
      isPlatform: kind === 'platform',
      isInOrganization: false,
    })),
};
