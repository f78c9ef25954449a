import { createServer, type Server } from 'node:http';
import { toNode } from 'latchkey/node';
import type { ResourceServer } from 'latchkey/resource';

/** `notes:read` reads notes, `notes:write` adds one: the user's, or those of the team that the access is to. */
export function notesApi(resource: ResourceServer, address: string): Server {
  const notes = new Map<string, number>();
  const answer = async (request: Request): Promise<Response> => {
    const isWriting = request.method !== 'GET';
    const access = await resource.access(request, isWriting ? 'notes:write' : 'notes:read');
    if (access instanceof Response) return access;
    const { userId, teamId } = access;
    const owner = teamId === null ? `user ${userId}` : `team ${teamId}`;
    const count = (notes.get(owner) ?? 0) + (isWriting ? 1 : 0);
    notes.set(owner, count);
    return Response.json({ userId, notes: count });
  };
  return createServer(toNode(answer, address));
}
