import type { FastifyReply } from 'fastify';
import { type FormFaults, focusOf, readForm, typedFields, untouched } from '../../web/forms.ts';
import { type Page, pagesPlugin, sendPage } from '../../web/pages.ts';
import { email, existingPassword } from '../fields.ts';
import { redirectToSecondFactor } from '../passkeys/challenge.ts';
import { tooMany, tryAgain } from '../rate-limits/limits.ts';
import { describePurpose, type Purpose, returnToField } from '../sessions/return-to.ts';
import { redirectToSignIn, requireFormToken, signOut, withReturnTo } from '../sessions/session.ts';
import { signInByPassword } from './sign-in.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/sign-in': SignInView & {
      readonly signUpAddress: string;
      readonly passkeyAddress: string;
      readonly forgotAddress: string;
    };
    'accounts/suspended': Page & { readonly reason: string };
    'accounts/continue': Page & { readonly returnTo: string };
  }
}

export interface SignInView extends Page, FormFaults, Purpose {
  readonly faults: FormFaults['faults'];
  readonly returnTo: string;
  readonly isSignUpOpen: boolean;
  readonly focus: string | undefined;
}

const signInForm = returnToField.extend({ email, password: existingPassword });

export const signInPlugin = pagesPlugin('sign-in', async (app) => {
  const returning = { schema: { querystring: returnToField } };

  app.get('/signin', returning, async (request, reply) => {
    const { return_to: to } = request.query;
    return request.session === undefined ? sendSignIn(reply, to) : reply.redirect(to, 303);
  });

  app.post('/signin', async (request, reply) => {
    const form = readForm(signInForm, request.body, ['password']);
    const to = returnToField.parse(request.body).return_to;
    if (!form.ok) return sendSignIn(reply.code(400), to, form);
    const attempt = await signInByPassword(reply, form.value);
    switch (attempt.outcome) {
      case 'signed_in':
        return leaveSignIn(reply, to);
      case 'second_factor':
        return redirectToSecondFactor(reply, attempt.account, to);
      case 'refused': {
        const words = 'Incorrect email or password.';
        return sendSignIn(reply.code(401), to, shownAgain(form.value, { form: words }));
      }
      case 'suspended':
        return sendSuspended(reply, attempt.reason);
      case 'limited': {
        const many = attempt.kind === 'sign_in' ? 'sign-ins to this account' : 'failed sign-ins';
        const words = `Too many ${many}. ${tryAgain(attempt)} If you can’t wait, reset your password.`;
        const shown = shownAgain(form.value, { form: words });
        return sendSignIn(tooMany(reply, attempt), to, shown);
      }
    }
  });

  app.get('/signin/continue', returning, async (request, reply) => {
    const { return_to: returnTo } = request.query;
    if (request.session === undefined) return redirectToSignIn(reply, returnTo);
    return sendPage(reply, 'accounts/continue', { title: 'You’re signed in', returnTo });
  });

  const leaving = { preValidation: requireFormToken, schema: { body: returnToField } };
  app.post('/signout', leaving, async (request, reply) => {
    await signOut(reply);
    return reply.redirect(request.body.return_to, 303);
  });
});

async function sendSignIn(reply: FastifyReply, returnTo: string, form = untouched) {
  return sendPage(reply, 'accounts/sign-in', {
    title: 'Sign in',
    returnTo,
    ...(await describePurpose(reply.request, 'Sign in', returnTo)),
    isSignUpOpen: reply.request.server.config.signUp === 'open',
    signUpAddress: withReturnTo('/signup', returnTo),
    passkeyAddress: withReturnTo('/signin/passkey', returnTo),
    forgotAddress: withReturnTo('/forgot', returnTo),
    // With a fault of the whole form, the password is entered again.
    focus: focusOf(form.faults, ['email', 'password']) ?? (form.faults['form'] ? 'password' : 'email'),
    ...form,
  });
}

/** The password was right, so nobody else learns of it. */
export async function sendSuspended(reply: FastifyReply, reason: string): Promise<FastifyReply> {
  return sendPage(reply.code(403), 'accounts/suspended', {
    title: 'Your account is suspended',
    reason,
  });
}

export function shownAgain(
  form: Readonly<Record<string, unknown>>,
  faults: FormFaults['faults'],
): FormFaults {
  return { typed: typedFields(form, ['password']), faults };
}

/**
 * Through a page of its own: an authorization request may end at another site, and Chromium would
 * hold that redirect against the form's `form-action`.
 */
export function leaveSignIn(reply: FastifyReply, returnTo: string): FastifyReply {
  if (returnTo === '/') return reply.redirect('/', 303);
  return reply.redirect(withReturnTo('/signin/continue', returnTo), 303);
}
