import { collectPermissions } from '../../src/oauth/permissions.ts';
import { loadParts } from '../../src/parts.ts';

/** The permissions are those of all parts. */
export const permissions = collectPermissions(
  (await loadParts()).flatMap(({ oauth }) => oauth?.scopes ?? []),
  [],
);
