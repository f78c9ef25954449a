import { z } from 'zod';
import type { Sentence } from '../../platform/words.ts';
import { formOf, lineOf, rowIdInPath } from '../../web/forms.ts';
import { email, isReservedName, tokenParams } from '../fields.ts';
import { type GroupKind, groupKinds, roles } from '../person.ts';

const role = z.enum(roles, { error: 'Choose a role from the list.' satisfies Sentence });

/** Leads members to their group when the invitation is gone. */
const answerForm = z
  .object({ kind: z.enum(groupKinds), group: rowIdInPath })
  .transform(({ kind, group: id }) => ({ kind, id }));

const params = z.object({ groupId: rowIdInPath });
const memberParams = params.extend({ memberId: rowIdInPath });
export const ofGroup = { schema: { params } };
export const ofMember = { schema: { params: memberParams } };
export const ofInvitation = { schema: { params: params.extend({ invitationId: z.uuid().lowercase() }) } };
export const ofLink = { schema: { params: tokenParams } };

export const inviting = { schema: { params, body: formOf(z.object({ email, role })) } };
export const accepting = { schema: { params: tokenParams, body: formOf(answerForm) } };
/** The app may be gone, so nothing looks it up. */
const managing = z.object({
  client_id: z
    .string()
    .max(2000)
    .regex(/^\P{Cc}*$/u),
});
export const endingUsersOf = { schema: { params, querystring: managing } };
export const endingUsers = { schema: { params, body: formOf(managing) } };
export const changingRole = { schema: { params: memberParams, body: formOf(z.object({ role })) } };
const confirmation = lineOf(200, 'Enter the name.' satisfies Sentence);
export const deleting = { schema: { params, body: formOf(z.object({ confirmation })) } };

/** A slug can be a host, so it is a DNS label (RFC 1123 §2.1). */
function slugOf(max: number): z.ZodType<string> {
  return lineOf(max, 'Enter an address.' satisfies Sentence)
    .transform((text) => text.toLowerCase())
    .pipe(
      z
        .string()
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
          error: 'Use letters and digits, with single dashes in between.' satisfies Sentence,
        })
        .refine((text) => !isReservedName(text), {
          error: 'This address is reserved. Choose another.' satisfies Sentence,
        }),
    );
}

export const maxSlugLength = { team: 40, organization: 63 } as const satisfies Record<GroupKind, number>;

/** An organization's slug is a DNS label, so it has at most 63 characters (RFC 1035 §2.3.4). */
const formWithSlug = (kind: GroupKind) =>
  z.object({ name: lineOf(80, 'Enter a name.' satisfies Sentence), slug: slugOf(maxSlugLength[kind]) });

export const groupForms = { team: formWithSlug('team'), organization: formWithSlug('organization') };

/** Who may not change the address isn't asked for it. */
export const editOf = (kind: GroupKind) => ({
  schema: { params, body: formOf(groupForms[kind].partial({ slug: true })) },
});

export const newGroupForms = {
  team: groupForms.team
    .extend({
      // The address is made of the name.
      slug: z.union([z.literal(''), groupForms.team.shape.slug]).default(''),
      in_organization: z.literal('yes', { error: 'Select or clear this.' satisfies Sentence }).optional(),
    })
    .transform(({ in_organization: within, ...names }) => ({
      ...names,
      isPlatform: false,
      isInOrganization: within === 'yes',
    })),
  organization: groupForms.organization
    .extend({ kind: z.enum(['regular', 'platform'], { error: 'Choose a kind.' satisfies Sentence }) })
    .transform(({ kind, ...names }) => ({
      ...names,
      isPlatform: kind === 'platform',
      isInOrganization: false,
    })),
};
