import { collectPermissions } from '../../src/oauth/permissions.ts';
import { schedulingScopes } from '../../src/scheduling/scopes.ts';
import { profileScopes } from '../../src/v2/scopes.ts';
import { webhookScopes } from '../../src/webhooks/scopes.ts';

/** The permissions are those of all parts. */
export const permissions = collectPermissions([profileScopes, webhookScopes, ...schedulingScopes], []);
