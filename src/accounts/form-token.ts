import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RootSecret } from '../io/root-secret.ts';
import { sendPage } from '../pages.ts';

export interface FormTokenDeps {
  readonly rootSecret: RootSecret;
}

const bytesOf = (idHash: string): Uint8Array => Buffer.from(idHash);

/** The token that every form of a session carries, so that no other site can send one. */
export function formTokenOf(rootSecret: RootSecret, idHash: string): string {
  return Buffer.from(rootSecret.mac('form', bytesOf(idHash))).toString('base64url');
}

/** Whether a form was made for this session. */
export function hasFormToken(body: unknown, rootSecret: RootSecret, idHash: string): boolean {
  if (typeof body !== 'object' || body === null || !('form_token' in body)) return false;
  const { form_token: token } = body;
  if (typeof token !== 'string') return false;
  const mac = Buffer.from(token, 'base64url');
  return mac.toString('base64url') === token && rootSecret.isMac('form', bytesOf(idHash), mac);
}

/** For routes that act for the signed-in person: the form must carry its session's token. */
export function requireFormToken({ rootSecret }: FormTokenDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.method !== 'POST' || request.session === undefined) return undefined;
    if (hasFormToken(request.body, rootSecret, request.session.idHash)) return undefined;
    return sendOutdatedForm(request, reply);
  };
}

async function sendOutdatedForm(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(403), 'error', {
    title: 'This page is out of date',
    text: 'You have signed in again since it was opened, so nothing was done. Open the page again and repeat what you did.',
  });
}
