import type { FastifyReply } from 'fastify';
import { type Trouble, troublePage } from './pages.ts';

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(html);
}

export function sendTrouble(reply: FastifyReply, trouble: Trouble): FastifyReply {
  return sendPage(reply.code(trouble.status), troublePage(trouble));
}
