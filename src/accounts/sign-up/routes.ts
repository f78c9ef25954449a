import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { readerLocaleOf } from '../../platform/locale.ts';
import { normalAddressOf } from '../../platform/mail/budgets.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import type { Result } from '../../result.ts';
import { type FormFaults, focusOf, sentForm } from '../../web/forms.ts';
import { sendPage } from '../../web/pages.ts';
import { clientAddressOf, limitsOfNetwork, networkOf } from '../device-recognition/address.ts';
import { email, password, passwordHint, personName, timeZone, username, weekStart } from '../fields.ts';
import { hashPassword, passwordClientOf } from '../passwords/password.ts';
import { isWeakPassword, weakPassword } from '../passwords/strength.ts';
import { type WeekDay, weekDays } from '../person.ts';
import { consume, rateLimitOf, tooMany, tryAgain } from '../rate-limits/limits.ts';
import { auditContextOf, signIn, withReturnTo } from '../sessions/session.ts';
import { returnToField } from '../sign-in/return-to.ts';
import { describePurpose, leaveSignIn, nothing, type SignInView, shownAgain } from '../sign-in/routes.ts';
import { signInAgain } from '../sign-in/sign-in.ts';
import { createUser, type NewUser } from '../store.ts';
import { listZoneChoices, type ZoneChoice } from '../time-zones.ts';
import { addressTakenEmail, addressUnverifiedEmail, verificationEmail } from '../verification/emails.ts';
import { newLink, plantSignUpCookie } from '../verification/link.ts';
import { sentPage } from '../verification/routes.ts';
import { addUnverifiedUser } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/sign-up': SignInView & {
      readonly signInAddress: string;
      readonly timeZones: readonly ZoneChoice[];
      readonly chosenZone: string;
      readonly weekDays: readonly (readonly [value: WeekDay, words: string])[];
      readonly chosenWeekStart: string | undefined;
      readonly passwordHint: string;
    };
  }
}

const signUpForm = returnToField.extend({
  email,
  username,
  name: personName,
  password,
  time_zone: timeZone,
  week_start: weekStart,
});

export const signUpPlugin = fp(
  async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>();
    const isSignUpOpen = app.config.signUp === 'open';
    const isVerified = app.config.emailVerification === 'required';

    app.get('/signup', { schema: { querystring: returnToField } }, async (request, reply) => {
      const { return_to: to } = request.query;
      if (request.session !== undefined) return reply.redirect(to, 303);
      if (isSignUpOpen && isVerified) plantSignUpCookie(request, reply);
      return sendSignUp(request, reply, to);
    });

    const signUp = { schema: { body: signUpForm }, attachValidation: true };
    app.post('/signup', signUp, async (request, reply) => {
      const form = sentForm(request, ['password']);
      const to = returnToField.parse(request.body).return_to;
      if (!isSignUpOpen) return sendSignUp(request, reply.code(403), to);
      if (!form.ok) return sendSignUp(request, reply.code(400), to, form);
      const { time_zone: timeZone, week_start: weekStart, ...fields } = form.value;
      if (await isWeakPassword(fields.password, fields)) {
        const shown = shownAgain(form.value, { password: weakPassword });
        return sendSignUp(request, reply.code(400), to, shown);
      }
      const client = passwordClientOf(request, reply, false);
      const attempt = await consume(app, limitsOfNetwork('sign_up', request));
      if (attempt.outcome === 'limited') {
        const words = `Too many accounts were created from your network. ${tryAgain(attempt)}`;
        const shown = shownAgain(form.value, { form: words });
        return sendSignUp(request, tooMany(reply, attempt), to, shown);
      }
      const { email, name, username } = fields;
      const passwordHash = await hashPassword(fields.password, client);
      // Not asked for, to keep the form short.
      const { hours: timeFormat } = readerLocaleOf(request.headers['accept-language']);
      const user = { email, username, name, passwordHash, timeZone, weekStart, timeFormat };
      if (isVerified) {
        const asked = await askToVerify(request, reply, user, to);
        if (asked.ok) return reply.redirect(sentPage(to), 303);
        return sendSignUp(request, reply.code(409), to, shownAgain(form.value, takenFaults.username_taken));
      }
      const created = await createUser(app.db, user, auditContextOf(request));
      if (created.ok) await signIn(request, reply, created.value.id);
      else if (!(await signInAgain(request, reply, fields)))
        return sendSignUp(request, reply.code(409), to, shownAgain(form.value, takenFaults[created.reason]));
      return leaveSignIn(reply, to);
    });
  },
  { name: 'sign-up', dependencies: ['platform', 'sessions'], encapsulate: true },
);

/**
 * An account that is signed in to once its address is verified. Answer, cookies and work are the
 * same when the address has an account already, which its owner alone hears of (security C71).
 */
async function askToVerify(
  request: FastifyRequest,
  reply: FastifyReply,
  user: NewUser & { readonly username: string },
  returnTo: string,
): Promise<Result<void, 'name_taken' | 'email_taken'>> {
  const app = request.server;
  const { config, db, secrets } = app;
  const { email, username } = user;
  const { address, tokenHash } = newLink(app);
  const asked = await addUnverifiedUser(
    db,
    {
      user,
      verification: { tokenHash, browserHash: plantSignUpCookie(request, reply).idHash, returnTo },
      emails: {
        free: renderEmail(verificationEmail(address), email, app),
        verified: renderEmail(addressTakenEmail(config.appUrl), email, app),
        unverified: renderEmail(addressUnverifiedEmail(config.appUrl), email, app),
      },
      limits: {
        form: rateLimitOf({ kind: 'sign_up_form', parts: [email, username] }, secrets),
        letter: rateLimitOf({ kind: 'verification_letter', parts: [normalAddressOf(email)] }, secrets),
      },
      cause: `email:network:${networkOf(clientAddressOf(request))}`,
    },
    auditContextOf(request),
  );
  app.mail.nudge();
  return asked;
}

async function sendSignUp(
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string,
  form: FormFaults = nothing,
): Promise<FastifyReply> {
  const { config, runtime } = request.server;
  const { firstDay } = readerLocaleOf(request.headers['accept-language']);
  const { time_zone: chosenZone = 'UTC', week_start: chosenWeekStart = weekDays[firstDay - 1] } = form.typed;
  return sendPage(request, reply, 'accounts/sign-up', {
    title: 'Create an account',
    returnTo,
    ...(await describePurpose(request, 'Create an account', returnTo)),
    isSignUpOpen: config.signUp === 'open',
    signInAddress: withReturnTo('/signin', returnTo),
    timeZones: listZoneChoices(runtime.now()),
    chosenZone,
    weekDays: weekDays.map((day) => [day, day]),
    chosenWeekStart,
    passwordHint,
    focus: focusOf(form.faults, ['name', 'email', 'username', 'password', 'time_zone', 'week_start']),
    ...form,
  });
}

const takenFaults = {
  email_taken: { email: 'An account with this email already exists. Sign in instead.' },
  username_taken: { username: 'This username is taken. Choose another.' },
} as const;
