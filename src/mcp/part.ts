import type { Scope } from '../oauth/core/scope.ts';
import type { Part } from '../platform/parts.ts';
import { mcpPlugin } from './routes.ts';

const scopes = [
  'PROFILE_READ',
  'EVENT_TYPE_READ',
  'BOOKING_READ',
  'BOOKING_WRITE',
  'SCHEDULE_READ',
] as const satisfies readonly Scope[];

/**
 * Scheduling's operations as tools for AI agents, at `/mcp` (Model Context Protocol); a token for
 * the API opens it. Without it `/mcp` is a 404, and nothing else changes.
 */
export const mcpPart = {
  routes: {
    surfaces: [{ plugin: mcpPlugin, prefix: '/mcp' }],
  },
  oauth: {
    resources: [{ path: '/mcp', name: 'Latchkey MCP server', scopes }],
  },
} as const satisfies Part;
