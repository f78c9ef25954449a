import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { readerLocaleOf } from '../../platform/locale.ts';
import { type FormFaults, focusOf, sentForm, typedFields } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { limitsOfNetwork } from '../device-recognition/address.ts';
import {
  email,
  existingPassword,
  password,
  passwordHint,
  personName,
  timeZone,
  username,
  weekStart,
} from '../fields.ts';
import { hashPassword, passwordClientOf } from '../passwords/password.ts';
import { isWeakPassword, weakPassword } from '../passwords/strength.ts';
import { type WeekDay, weekDays } from '../person.ts';
import { consume, tooMany, tryAgain } from '../rate-limits/limits.ts';
import { auditContextOf, redirectToSignIn, requireFormToken, signIn, signOut } from '../sessions/session.ts';
import { createUser } from '../store.ts';
import { listZoneChoices, type ZoneChoice } from '../time-zones.ts';
import { purposeOf, returnToField } from './return-to.ts';
import { signInAgain, signInByPassword } from './sign-in.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    /** The name of the app whose authorization request the path is; undefined for a faulty one. */
    readonly nameOfAuthorizingApp: (path: string) => Promise<string | undefined>;
  }
}

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/home': Page & { readonly isSignUpOpen: boolean };
    'accounts/sign-in': SignInView & { readonly signUpAddress: string };
    'accounts/sign-up': SignInView & {
      readonly signInAddress: string;
      readonly timeZones: readonly ZoneChoice[];
      readonly chosenZone: string;
      readonly weekDays: readonly (readonly [value: WeekDay, words: string])[];
      readonly chosenWeekStart: string | undefined;
      readonly passwordHint: string;
    };
    'accounts/continue': Page & { readonly returnTo: string };
  }
}

interface SignInView extends Page, FormFaults {
  readonly faults: FormFaults['faults'];
  readonly returnTo: string;
  readonly purpose: string | undefined;
  /** Completes the purpose. */
  readonly appName: string | undefined;
  readonly isSignUpOpen: boolean;
  readonly focus: string | undefined;
}

const signInForm = returnToField.extend({ email, password: existingPassword });
const signUpForm = returnToField.extend({
  email,
  username,
  name: personName,
  password,
  time_zone: timeZone,
  week_start: weekStart,
});

export const signInPlugin = fp(
  async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>();
    const isSignUpOpen = app.config.signUp === 'open';
    const returning = { schema: { querystring: returnToField } };

    app.get('/', (request, reply) =>
      sendPage(request, reply, 'accounts/home', { title: 'Latchkey', isSignUpOpen }),
    );

    app.get('/signup', returning, async (request, reply) => {
      const { return_to: to } = request.query;
      return request.session === undefined ? sendSignUp(request, reply, to) : reply.redirect(to, 303);
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
      const created = await createUser(app.db, user, auditContextOf(request));
      if (created.ok) await signIn(request, reply, created.value.id);
      else if (!(await signInAgain(request, reply, fields)))
        return sendSignUp(request, reply.code(409), to, shownAgain(form.value, takenFaults[created.reason]));
      return leaveSignIn(reply, to);
    });

    app.get('/signin', returning, async (request, reply) => {
      const { return_to: to } = request.query;
      return request.session === undefined ? sendSignIn(request, reply, to) : reply.redirect(to, 303);
    });

    const signInByForm = { schema: { body: signInForm }, attachValidation: true };
    app.post('/signin', signInByForm, async (request, reply) => {
      const form = sentForm(request, ['password']);
      const to = returnToField.parse(request.body).return_to;
      if (!form.ok) return sendSignIn(request, reply.code(400), to, form);
      const attempt = await signInByPassword(request, reply, form.value);
      switch (attempt.outcome) {
        case 'signed_in':
          return leaveSignIn(reply, to);
        case 'refused': {
          const words = 'Incorrect email or password.';
          return sendSignIn(request, reply.code(401), to, shownAgain(form.value, { form: words }));
        }
        case 'limited': {
          const many = attempt.kind === 'sign_in' ? 'sign-ins to this account' : 'failed sign-ins';
          const words = `Too many ${many}. ${tryAgain(attempt)} If you can't wait, reset your password.`;
          const shown = shownAgain(form.value, { form: words });
          return sendSignIn(request, tooMany(reply, attempt), to, shown);
        }
      }
    });

    app.get('/signin/continue', returning, async (request, reply) => {
      const { return_to: returnTo } = request.query;
      if (request.session === undefined) return redirectToSignIn(reply, returnTo);
      return sendPage(request, reply, 'accounts/continue', { title: "You're signed in", returnTo });
    });

    const leaving = { preValidation: requireFormToken, schema: { body: returnToField } };
    app.post('/signout', leaving, async (request, reply) => {
      await signOut(request, reply);
      return reply.redirect(request.body.return_to, 303);
    });
  },
  { name: 'sign-in', dependencies: ['platform', 'sessions'], encapsulate: true },
);

const nothing: FormFaults = { typed: {}, faults: {} };

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
    signInAddress: `/signin?return_to=${encodeURIComponent(returnTo)}`,
    timeZones: listZoneChoices(runtime.now()),
    chosenZone,
    weekDays: weekDays.map((day) => [day, day]),
    chosenWeekStart,
    passwordHint,
    focus: focusOf(form.faults, ['name', 'email', 'username', 'password', 'time_zone', 'week_start']),
    ...form,
  });
}

async function sendSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string,
  form: FormFaults = nothing,
): Promise<FastifyReply> {
  return sendPage(request, reply, 'accounts/sign-in', {
    title: 'Sign in',
    returnTo,
    ...(await describePurpose(request, 'Sign in', returnTo)),
    isSignUpOpen: request.server.config.signUp === 'open',
    signUpAddress: `/signup?return_to=${encodeURIComponent(returnTo)}`,
    // With a fault of the whole form, the password is entered again.
    focus: focusOf(form.faults, ['email', 'password']) ?? (form.faults['form'] ? 'password' : 'email'),
    ...form,
  });
}

/** `Sign in to continue to`, with the app's name behind it; or a whole sentence. */
async function describePurpose(
  { server }: FastifyRequest,
  act: string,
  returnTo: string,
): Promise<Pick<SignInView, 'purpose' | 'appName'>> {
  const appName = await server.nameOfAuthorizingApp(returnTo);
  if (appName !== undefined) return { purpose: `${act} to continue to`, appName };
  const purpose = purposeOf(returnTo);
  return { purpose: purpose && `${act} to ${purpose}.`, appName };
}

const takenFaults = {
  email_taken: { email: 'An account with this email already exists. Sign in instead.' },
  username_taken: { username: 'This username is taken. Choose another.' },
} as const;

function shownAgain(form: Readonly<Record<string, unknown>>, faults: FormFaults['faults']): FormFaults {
  return { typed: typedFields(form, ['password']), faults };
}

/**
 * Through a page of its own: an authorization request may end at another site, and Chromium would
 * hold that redirect against the form's `form-action`.
 */
export function leaveSignIn(reply: FastifyReply, returnTo: string): FastifyReply {
  if (returnTo === '/') return reply.redirect('/', 303);
  return reply.redirect(`/signin/continue?return_to=${encodeURIComponent(returnTo)}`, 303);
}
