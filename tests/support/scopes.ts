import { collectPermissions } from '../../src/oauth/permissions.ts';
import { schedulingScopes } from '../../src/scheduling/scopes.ts';
import { profileScopes } from '../../src/v2/scopes.ts';
import { webhookScopes } from '../../src/webhooks/scopes.ts';

/** Of all parts. */
export const permissions = collectPermissions([profileScopes, webhookScopes, ...schedulingScopes], []);

export const scopeNames = [
  'PROFILE_READ',
  'PROFILE_WRITE',
  'EVENT_TYPE_READ',
  'EVENT_TYPE_WRITE',
  'BOOKING_READ',
  'BOOKING_WRITE',
  'SCHEDULE_READ',
  'SCHEDULE_WRITE',
  'WEBHOOK_READ',
  'WEBHOOK_WRITE',
] as const;
