import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../pages.ts';
import { redirectToSignIn, type SessionDeps } from '../session.ts';
import { type KeptForm, lifetimeSeconds, openKeptForm, sealKeptForm } from './form.ts';
import { type KeptFormReader, sendKeptForm } from './page.ts';
import { wasSent } from './sending.ts';

const pathOf = (id: string): string => `/signin/kept/${id}`;
/** Browsers hold 4096 bytes, name and attributes included. */
const maxCookieLength = 3600;

function cookieOf({ appUrl }: SessionDeps, id: string) {
  const secure = appUrl.startsWith('https:');
  return {
    name: secure ? '__Secure-latchkey_kept' : 'latchkey_kept',
    options: { path: pathOf(id), httpOnly: true, sameSite: 'lax', secure, maxAge: lifetimeSeconds } as const,
  };
}

/** The sealed form that a sign-in brings along, for its next try or for the page after it; undefined when there is none of ours. */
export function keptIn(
  body: unknown,
  deps: SessionDeps,
): { readonly sealed: string; readonly kept: KeptForm } | undefined {
  if (typeof body !== 'object' || body === null || !('kept_form' in body)) return undefined;
  const { kept_form: sealed } = body;
  if (typeof sealed !== 'string') return undefined;
  const kept = openKeptForm(sealed, deps);
  return kept === undefined ? undefined : { sealed, kept };
}

/**
 * After sign-in a kept form goes on to a page of its own, in a cookie of that page alone, so that the way back and a reload sign nobody in once
 * more. One too large for a cookie is shown in the answer to the sign-in itself.
 */
export async function resumeKeptForm(
  request: FastifyRequest,
  reply: FastifyReply,
  kept: KeptForm,
  reader: KeptFormReader & { readonly userId: number },
  deps: SessionDeps,
): Promise<FastifyReply> {
  const sealed = sealKeptForm(kept, deps, reader.userId);
  if (sealed.length > maxCookieLength) {
    const why = (await wasSent(kept.id, reader.userId, deps)) ? 'sent_before' : 'signed_in';
    return sendKeptForm(request, reply, kept, { ...reader, why }, deps);
  }
  const { name, options } = cookieOf(deps, kept.id);
  return reply.setCookie(name, sealed, options).redirect(pathOf(kept.id), 303);
}

/** Where a kept form waits after sign-in. */
export async function registerKeptFormRoutes(app: FastifyInstance, deps: SessionDeps): Promise<void> {
  app.get<{ Params: { id: string } }>(pathOf(':id'), async (request, reply) => {
    const { session, viewer } = request;
    if (session === undefined || viewer === undefined) return redirectToSignIn(reply, request.url);
    const { id } = request.params;
    const userId = session.person.id;
    const kept = openKeptForm(request.cookies[cookieOf(deps, id).name], deps, userId);
    if (kept === undefined || kept.id !== id) return sendNotKept(request, reply);
    const why = (await wasSent(id, userId, deps)) ? 'sent_before' : 'signed_in';
    return sendKeptForm(request, reply, kept, { ...viewer, why }, deps);
  });
}

async function sendNotKept(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(404), 'error', {
    title: 'This is not kept any more',
    text: 'What was typed into a form is kept for 30 minutes, for the person who signed in with it.',
    next: { address: '/settings/profile', words: 'Go to your settings' },
  });
}
