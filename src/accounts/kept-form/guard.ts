import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../pages.ts';
import { hasFormToken } from '../form-token.ts';
import type { SessionDeps } from '../session.ts';
import { keepForm, sealKeptForm } from './form.ts';
import { sendKeptForm } from './page.ts';
import { isFirstSending } from './sending.ts';

export interface KeptFormGuardDeps extends SessionDeps {
  readonly signUp: 'open' | 'closed';
}

/**
 * Whoever sends a form of the settings when the session has run out, or was replaced in another tab, loses nothing of what was typed: it is
 * shown again after sign-in, to be sent by hand. What cannot be kept is left to the routes' own checks, which refuse it. Call it before the
 * scopes with forms are registered, so that it comes before their checks.
 */
export function guardForms(app: FastifyInstance, deps: KeptFormGuardDeps): void {
  app.addHook('preHandler', async (request, reply) => {
    if (request.method !== 'POST' || request.is404 || !request.url.startsWith('/settings/')) return undefined;
    const { session, viewer } = request;
    if (session === undefined || viewer === undefined) return sendSignInAgain(request, reply, deps);
    const isOutdated = !hasFormToken(request.body, deps.rootSecret, session.idHash);
    if (!isOutdated && (await isFirstSending(request.body, session.person.id, deps))) return undefined;
    const kept = keepForm(request, deps);
    if (kept === undefined) return undefined;
    const why = isOutdated ? 'outdated' : 'sent_before';
    return sendKeptForm(request, reply.code(isOutdated ? 403 : 409), kept, { ...viewer, why }, deps);
  });
}

async function sendSignInAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: KeptFormGuardDeps,
): Promise<FastifyReply | undefined> {
  const kept = keepForm(request, deps);
  if (kept === undefined) return undefined;
  return sendPage(request, reply.code(401), 'accounts/sign-in', {
    title: 'Sign in',
    returnTo: kept.from,
    signUp: deps.signUp,
    keptForm: sealKeptForm(kept, deps),
    typed: {},
    faults: {},
  });
}
