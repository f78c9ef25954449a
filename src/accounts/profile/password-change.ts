import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm } from '../../forms.ts';
import { writeLetter } from '../../outbox/letter.ts';
import { sendPage } from '../../pages.ts';
import { type Counted, countAttempt, forgetAttempts } from '../attempts/store.ts';
import { hashPassword, isPassword } from '../password.ts';
import { passwordChangedLetter } from '../password-reset/letters.ts';
import { findPasswordHolder, replacePassword } from '../password-reset/store.ts';
import { requireFormToken, requireSignIn, type SessionDeps, sessionOf, signIn } from '../session.ts';
import { passwordForm } from './request.ts';

export interface PasswordChangeDeps extends SessionDeps {
  /** Tells the outbox that there is something to send. */
  readonly nudgeOutbox: () => void;
}

const home = '/settings/password';
/** Whoever sits at somebody else's open session must not try out passwords. */
const mostWrong = 10;
const windowSeconds = 15 * 60;
const secretFields = ['current_password', 'new_password'];

/** Where people change the password that they know. Register in a scope of its own. */
export async function registerPasswordChange(app: FastifyInstance, deps: PasswordChangeDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireFormToken(deps));

  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(home, async (request, reply) =>
    sendPasswordForm(request, reply, { typed: {}, faults: {} }, 'saved' in request.query),
  );

  app.post(home, async (request, reply) => {
    const form = readForm(passwordForm, request.body, secretFields);
    if (!form.ok) return sendPasswordForm(request, reply.code(400), form);
    const { person } = sessionOf(request);
    const guesses: Counted = { purpose: 'password_change', subject: String(person.id) };
    const now = deps.system.now();
    const { count, resetAt } = await countAttempt(deps.db, guesses, windowSeconds, now);
    if (count > mostWrong) {
      reply.code(429).header('retry-after', Math.ceil((resetAt.getTime() - now.getTime()) / 1000));
      return sendPasswordFault(request, reply, 'There were too many wrong ones. Try again in 15 minutes.');
    }
    const { current_password: current, new_password: chosen } = form.value;
    const holder = await findPasswordHolder(deps.db, person.id);
    if (holder === undefined || !(await isPassword(current, holder.passwordHash)))
      return sendWrongPassword(request, reply);
    const change = {
      userId: person.id,
      formerHash: holder.passwordHash,
      newHash: await hashPassword(chosen),
    };
    const notice = writeLetter(passwordChangedLetter(deps.appUrl), holder.email, deps);
    if (!(await replacePassword(deps.db, change, notice, now))) return sendWrongPassword(request, reply);
    await forgetAttempts(deps.db, guesses);
    deps.nudgeOutbox();
    await signIn(request, reply, person.id, deps);
    request.log.info({ userId: person.id }, 'a password was changed');
    return reply.redirect(`${home}?saved`, 303);
  });
}

const sendWrongPassword = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
  sendPasswordFault(request, reply.code(400), 'This is not your password.');

async function sendPasswordFault(
  request: FastifyRequest,
  reply: FastifyReply,
  words: string,
): Promise<FastifyReply> {
  return sendPasswordForm(request, reply, { typed: {}, faults: { current_password: words } });
}

async function sendPasswordForm(
  request: FastifyRequest,
  reply: FastifyReply,
  form: FormFaults,
  isSaved = false,
): Promise<FastifyReply> {
  return sendPage(request, reply, 'accounts/password', { title: 'Password', isSaved, ...form });
}
