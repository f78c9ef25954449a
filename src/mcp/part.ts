import type { Scope } from '../oauth/core/scope.ts';
import type { Part } from '../part.ts';
import { mcpPlugin } from './routes.ts';

const scopes = [
  'PROFILE_READ',
  'EVENT_TYPE_READ',
  'BOOKING_READ',
  'BOOKING_WRITE',
  'SCHEDULE_READ',
] as const satisfies readonly Scope[];

export const mcpPart = {
  surfaces: [{ plugin: mcpPlugin, prefix: '/mcp' }],
  resources: [{ path: '/mcp', name: 'Latchkey MCP server', scopes }],
} as const satisfies Part;
