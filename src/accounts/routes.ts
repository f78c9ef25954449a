import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm, typedFields } from '../forms.ts';
import { habitsOf } from '../habits.ts';
import { sendPage } from '../pages.ts';
import { takeTurn } from './attempts/limits.ts';
import { tooMany, tryAgain } from './attempts/refusal.ts';
import { requireFormToken } from './form-token.ts';
import { keptIn, resumeKeptForm } from './kept-form/after-sign-in.ts';
import { hashPassword } from './password.ts';
import { weekDays } from './person.ts';
import { purposeOf, readReturnTo, signInForm, signUpForm } from './request.ts';
import { redirectToSignIn, signIn, signOut } from './session.ts';
import { askerOf, type SignInDeps, signInAgain, signInByPassword } from './sign-in.ts';
import { createUser } from './store.ts';
import { listZoneChoices } from './time-zones.ts';

export interface AccountDeps extends SignInDeps {
  readonly signUp: 'open' | 'closed';
}

/** Home, sign-up, sign-in and sign-out. */
export async function registerAccountRoutes(app: FastifyInstance, deps: AccountDeps): Promise<void> {
  const returnToOf = (source: unknown): string =>
    readReturnTo(
      typeof source === 'object' && source !== null ? Reflect.get(source, 'return_to') : undefined,
      deps.appUrl,
    );

  app.get('/', (request, reply) =>
    sendPage(request, reply, 'accounts/home', { title: 'Latchkey', signUp: deps.signUp }),
  );

  app.get('/signup', async (request, reply) => {
    const returnTo = returnToOf(request.query);
    if (request.session !== undefined) return reply.redirect(returnTo, 303);
    return sendSignUp(request, reply, returnTo);
  });

  app.post('/signup', async (request, reply) => {
    const returnTo = returnToOf(request.body);
    if (deps.signUp === 'closed') return sendSignUp(request, reply.code(403), returnTo);
    const form = readForm(signUpForm, request.body, ['password']);
    if (!form.ok) return sendSignUp(request, reply.code(400), returnTo, form);
    const { email, username, name, password, time_zone: timeZone, week_start: weekStart } = form.value;
    const asker = askerOf(request, reply);
    const turn = await takeTurn(deps, [{ kind: 'sign_up', parts: [asker.network] }], deps.system.now());
    if (turn.outcome === 'limited') {
      const words = `Too many accounts were made from your network. ${tryAgain(turn)}`;
      return sendSignUp(request, tooMany(reply, turn), returnTo, shownAgain(form.value, { form: words }));
    }
    const passwordHash = await hashPassword(password, asker);
    // Not asked for, to keep the form short; the profile page changes it.
    const { hours: timeFormat } = habitsOf(request.headers['accept-language']);
    const profile = { email, username, name, passwordHash, timeZone, weekStart, timeFormat };
    const created = await createUser(deps.db, profile, deps.system.now());
    if (!created.ok) {
      if (await signInAgain(request, reply, form.value, deps)) return leaveSignIn(reply, returnTo);
      const shown = shownAgain(form.value, takenFaults[created.reason]);
      return sendSignUp(request, reply.code(409), returnTo, shown);
    }
    await signIn(request, reply, created.value.id, deps);
    return leaveSignIn(reply, returnTo);
  });

  app.get('/signin', async (request, reply) => {
    const returnTo = returnToOf(request.query);
    if (request.session !== undefined) return reply.redirect(returnTo, 303);
    return sendSignIn(request, reply, returnTo);
  });

  app.post('/signin', async (request, reply) => {
    const returnTo = returnToOf(request.body);
    const form = readForm(signInForm, request.body, ['password']);
    if (!form.ok) return sendSignIn(request, reply.code(400), returnTo, form);
    const attempt = await signInByPassword(request, reply, form.value, deps);
    switch (attempt.outcome) {
      case 'entered': {
        const kept = keptIn(request.body, deps)?.kept;
        if (kept === undefined) return leaveSignIn(reply, returnTo);
        const { userId, formToken } = attempt;
        return resumeKeptForm(request, reply, kept, { userId, email: form.value.email, formToken }, deps);
      }
      case 'refused': {
        const words = 'This e-mail address and password do not belong together.';
        return sendSignIn(request, reply.code(401), returnTo, shownAgain(form.value, { form: words }));
      }
      case 'limited': {
        const many =
          attempt.kind === 'sign_in'
            ? 'There were too many sign-ins to this account'
            : 'Too many sign-ins have failed';
        const words = `${many}, so we wait a little before we look at another password. ${tryAgain(attempt)} If you do not want to wait, or have forgotten your password, you can reset it.`;
        return sendSignIn(
          request,
          tooMany(reply, attempt),
          returnTo,
          shownAgain(form.value, { form: words }),
        );
      }
    }
  });

  app.get('/signin/continue', async (request, reply) => {
    const returnTo = returnToOf(request.query);
    if (request.session === undefined) return redirectToSignIn(reply, returnTo);
    return sendPage(request, reply, 'accounts/continue', { title: 'You are signed in', returnTo });
  });

  app.post('/signout', { preHandler: requireFormToken(deps) }, async (request, reply) => {
    const returnTo = returnToOf(request.body);
    await signOut(request, reply, deps);
    return reply.redirect(returnTo, 303);
  });

  async function sendSignUp(
    request: FastifyRequest,
    reply: FastifyReply,
    returnTo: string,
    form: FormFaults = { typed: {}, faults: {} },
  ): Promise<FastifyReply> {
    const { firstDay } = habitsOf(request.headers['accept-language']);
    const usualWeekStart = weekDays[firstDay - 1];
    const choices = { timeZones: listZoneChoices(deps.system.now()), weekDays, usualWeekStart };
    return sendPage(request, reply, 'accounts/sign-up', {
      title: 'Create an account',
      returnTo,
      purpose: purposeOf(returnTo),
      signUp: deps.signUp,
      ...choices,
      ...form,
    });
  }

  async function sendSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    returnTo: string,
    form: FormFaults = { typed: {}, faults: {} },
  ): Promise<FastifyReply> {
    return sendPage(request, reply, 'accounts/sign-in', {
      title: 'Sign in',
      returnTo,
      purpose: purposeOf(returnTo),
      signUp: deps.signUp,
      keptForm: keptIn(request.body, deps)?.sealed,
      ...form,
    });
  }
}

const takenFaults = {
  email_taken: { email: 'There is an account with this e-mail address. Sign in instead.' },
  username_taken: { username: 'This username is taken. Choose another.' },
} as const;

/** A form as it was typed, but for its password, with what is wrong. */
function shownAgain(form: Readonly<Record<string, unknown>>, faults: FormFaults['faults']): FormFaults {
  return { typed: typedFields(form, ['password']), faults };
}

/**
 * After sign-in the way goes on from a page of its own: an authorization request may end at another site, and Chromium would hold
 * that redirect against the sign-in form's `form-action`, which stays closed because passwords are typed there.
 */
function leaveSignIn(reply: FastifyReply, returnTo: string): FastifyReply {
  if (returnTo === '/') return reply.redirect('/', 303);
  return reply.redirect(`/signin/continue?return_to=${encodeURIComponent(returnTo)}`, 303);
}
