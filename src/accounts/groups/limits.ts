import { databaseLimits, day, hour } from '../../platform/rate-limits/limit.ts';

export const groupLimits = databaseLimits({
  // A deleted group's address stays reserved, so deleting gives none back.
  new_group: [20, day, 'an account', 'new teams and organizations, deleted ones included'],
  invitation_email: [20, hour, 'an account', 'invitations'],
  invited_address: [3, hour, 'an address', 'invitations by anyone'],
});
