import { z } from 'zod';
import { lineOf } from '../../web/forms.ts';
import { slugOf } from '../members/request.ts';

/** Words that stand for something else in an address. */
const reservedSlugs = [
  'admin',
  'api',
  'assets',
  'auth',
  'delete',
  'docs',
  'edit',
  'invitations',
  'new',
  'settings',
  'signin',
  'signout',
  'signup',
  'support',
  'team',
  'teams',
  'v2',
];

/** A team's name and its part of the public address. */
export const teamForm = z.object({ name: lineOf(80), slug: slugOf(40, reservedSlugs) });

/** The same for a new team, which may belong to the organization of whoever makes it. */
export const newTeamForm = teamForm.extend({
  in_organization: z.literal('yes', { error: 'Tick this or leave it.' }).optional(),
});
