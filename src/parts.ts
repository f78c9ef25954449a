import { accounts } from './accounts/part.ts';
import { api } from './api/part.ts';
import { clientDocuments } from './client-documents/part.ts';
import { managedUsers } from './managed-users/part.ts';
import { mcp } from './mcp/part.ts';
import { oauth } from './oauth/part.ts';
import type { Part } from './part.ts';
import { passkeys } from './passkeys/part.ts';
import { platform } from './platform/part.ts';
import { scheduling } from './scheduling/part.ts';
import { v2 } from './v2/part.ts';
import { webhooks } from './webhooks/part.ts';

/** What the service consists of. Each may need those above it, and no other. */
export const parts: readonly Part[] = [
  ...[platform, api, accounts, passkeys, oauth, clientDocuments, v2, webhooks, scheduling, managedUsers, mcp],
];
