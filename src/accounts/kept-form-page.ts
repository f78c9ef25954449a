import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../pages.ts';
import { countAttempt } from './attempts/store.ts';
import { type KeptForm, keepForm, keptIdOf, newKeptId, sealKeptForm } from './kept-form.ts';
import { hasFormToken, type SessionDeps } from './session.ts';

export interface KeptFormPageDeps extends SessionDeps {
  readonly signUp: 'open' | 'closed';
}

/** For so long a second sending of the same kept form is noticed. */
const noticedSeconds = 24 * 3600;

/**
 * Whoever sends a form of the settings when the session has run out, or was replaced in another tab, loses nothing of what was typed: it is
 * shown again after sign-in, to be sent by hand. What cannot be kept is left to the routes' own checks, which refuse it. Call it before the
 * scopes with forms are registered, so that it comes before their checks.
 */
export function registerKeptForms(app: FastifyInstance, deps: KeptFormPageDeps): void {
  app.addHook('preHandler', async (request, reply) => {
    if (request.method !== 'POST' || request.is404 || !request.url.startsWith('/settings/')) return undefined;
    const { session, viewer } = request;
    if (session === undefined || viewer === undefined) {
      const kept = keepForm(request, deps);
      return kept === undefined ? undefined : sendSignInAgain(request, reply, kept, deps);
    }
    const shown = { formToken: viewer.formToken, email: viewer.email };
    if (!hasFormToken(request.body, deps.rootSecret, session.name)) {
      const kept = keepForm(request, deps);
      return kept === undefined
        ? undefined
        : sendKeptForm(request, reply.code(403), kept, { ...shown, why: 'outdated' });
    }
    if (await isFirstSending(request, session.person.id, deps)) return undefined;
    const again = keepForm(request, deps);
    return again === undefined
      ? undefined
      : sendKeptForm(request, reply.code(409), renewed(again, deps), { ...shown, why: 'sent_before' });
  });
}

const renewed = (kept: KeptForm, { system }: SessionDeps): KeptForm => ({ ...kept, id: newKeptId(system) });

/** A double click, or the way back and the button once more, must not do a thing twice without saying so. */
async function isFirstSending(
  request: FastifyRequest,
  userId: number,
  { db, system }: SessionDeps,
): Promise<boolean> {
  const id = keptIdOf(request.body);
  if (id === undefined) return true;
  const sending = { purpose: 'kept_form', subject: `${userId}:${id}` } as const;
  return (await countAttempt(db, sending, noticedSeconds, system.now())).count === 1;
}

async function sendSignInAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  kept: KeptForm,
  deps: KeptFormPageDeps,
): Promise<FastifyReply> {
  return sendPage(request, reply.code(401), 'accounts/sign-in', {
    title: 'Sign in',
    returnTo: kept.from,
    signUp: deps.signUp,
    keptForm: sealKeptForm(kept, deps),
    typed: {},
    faults: {},
  });
}

const reasons = {
  signed_in: {
    title: 'You are signed in again',
    text: 'What you typed is kept, and nothing was sent yet.',
    button: 'Send it now',
  },
  outdated: {
    title: 'This page is out of date',
    text: 'You have signed in again since it was opened, so nothing was done. What you typed is kept.',
    button: 'Send it now',
  },
  sent_before: {
    title: 'You have sent this before',
    text: 'Nothing was done a second time. Look first whether it is done, and send it again only if it is not.',
    button: 'Send it again',
  },
} as const;

/** Shows a kept form with what would be sent, for the signed-in person to send it, or not. */
export async function sendKeptForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, path, from, fields, lacksSecrets }: KeptForm,
  shown: { readonly formToken: string; readonly email: string; readonly why: keyof typeof reasons },
): Promise<FastifyReply> {
  const { formToken, email, why } = shown;
  const shownFields = [...Map.groupBy(fields, ([name]) => name)].map(([name, pairs]) => ({
    label: labelOf(name),
    values: pairs.map(([, value]) => value),
  }));
  return sendPage(request, reply, 'accounts/kept-form', {
    ...reasons[why],
    ...{ action: path, address: path.replace(/\?.*$/s, ''), from, lacksSecrets, fields, shownFields },
    ...{ id, formToken, email },
  });
}

/** `redirect_uris` as people read it. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
