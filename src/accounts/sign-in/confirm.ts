import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm } from '../../web/forms.ts';
import { type Page, pagesPlugin, sendPage } from '../../web/pages.ts';
import { existingPassword } from '../fields.ts';
import { redirectToSecondFactor } from '../passkeys/challenge.ts';
import { hasPasskey } from '../passkeys/store.ts';
import { tooMany, tryAgain } from '../rate-limits/limits.ts';
import { describePurpose, returnToField } from '../sessions/return-to.ts';
import {
  isRecentSignIn,
  redirectToSignIn,
  requireFormToken,
  sessionOf,
  withReturnTo,
} from '../sessions/session.ts';
import { leaveSignIn, sendSuspended } from './routes.ts';
import { signInByPassword } from './sign-in.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/confirm': Page & Awaited<ReturnType<typeof describeConfirm>>;
  }
}

const path = '/signin/confirm';
const confirmForm = returnToField.extend({ password: existingPassword });

/**
 * Where a sign-in isn't recent enough. It's another sign-in, with its limits and a new session id:
 * a stolen former one ends (contract §1, ASVS 7.2.4).
 */
export const confirmPlugin = pagesPlugin('confirm', async (app) => {
  app.addHook('preValidation', requireFormToken);

  app.get(path, { schema: { querystring: returnToField } }, async (request, reply) => {
    const { session } = request;
    const { return_to: to } = request.query;
    if (session === undefined) return redirectToSignIn(reply, to);
    return isRecentSignIn(session, app.runtime.now()) ? reply.redirect(to, 303) : sendConfirm(reply, to);
  });

  app.post(path, async (request, reply) => {
    const { session } = request;
    const form = readForm(confirmForm, request.body, ['password']);
    const to = returnToField.parse(request.body).return_to;
    if (session === undefined) return redirectToSignIn(reply, to);
    if (!form.ok) return sendConfirm(reply.code(400), to, form.faults);
    const { email } = session.person;
    const attempt = await signInByPassword(reply, { email, password: form.value.password });
    switch (attempt.outcome) {
      case 'signed_in':
        return leaveSignIn(reply, to);
      case 'second_factor':
        return redirectToSecondFactor(reply, attempt.account, to);
      case 'refused':
        return sendConfirm(reply.code(401), to, { password: 'Incorrect password.' });
      case 'suspended':
        return sendSuspended(reply, attempt.reason);
      case 'limited': {
        const many = attempt.kind === 'sign_in' ? 'sign-ins to this account' : 'incorrect passwords';
        const words = `Too many ${many}. ${tryAgain(attempt)}`;
        return sendConfirm(tooMany(reply, attempt), to, { password: words });
      }
    }
  });
});

/** By where it leads back to, the first that fits. */
const acts: readonly (readonly [RegExp, string])[] = [
  [/^\/settings\/developer\/oauth\/[^/]+\/delete/, 'delete an app'],
  [/^\/settings\/developer\/oauth\/[^/]+\/secrets/, 'add a client secret'],
  [/^\/settings\/profile\/email/, 'change your email address'],
  [/^\/settings\/security/, 'change how you sign in'],
  [/^\/settings\/password/, 'change your password'],
  [/^\/settings\/data\/delete/, 'delete your account'],
  [/^\/settings\/data/, 'download your data'],
];

function actOf(returnTo: string): string {
  return acts.find(([path]) => path.test(returnTo))?.[1] ?? 'make a sensitive change';
}

async function sendConfirm(reply: FastifyReply, returnTo: string, faults: FormFaults['faults'] = {}) {
  return sendPage(reply, 'accounts/confirm', await describeConfirm(reply.request, returnTo, faults));
}

async function describeConfirm(request: FastifyRequest, returnTo: string, faults: FormFaults['faults']) {
  const mayUsePasskey = await hasPasskey(request.server.db, sessionOf(request).person.id);
  const purpose = await describePurpose(request, 'Enter your password', returnTo);
  const { app } = purpose;
  return {
    title: 'Confirm it’s you',
    returnTo,
    ...purpose,
    /** What the person is about to do. */
    act: app === undefined ? actOf(returnTo) : `give ${app.name} full access to your account`,
    passkeyAddress: mayUsePasskey ? withReturnTo('/signin/passkey', returnTo) : undefined,
    typed: {},
    faults,
  };
}
