import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type FormFaults, readForm } from '../../forms.ts';
import { writeLetter } from '../../outbox/letter.ts';
import { sendPage } from '../../pages.ts';
import { type Counted, startAnew, takeTurn, withTurn } from '../attempts/limits.ts';
import { tooMany, tryAgain } from '../attempts/refusal.ts';
import { requireFormToken } from '../form-token.ts';
import { hashPassword, isPassword } from '../password.ts';
import type { Asker } from '../password-queue.ts';
import { passwordChangedLetter } from '../password-reset/letters.ts';
import { findPasswordHolder, replacePassword } from '../password-reset/store.ts';
import { requireSignIn, type SessionDeps, sessionOf, signIn } from '../session.ts';
import { askerOf } from '../sign-in.ts';
import { passwordForm } from './request.ts';

export interface PasswordChangeDeps extends SessionDeps {
  /** Tells the outbox that there is something to send. */
  readonly nudgeOutbox: () => void;
}

const home = '/settings/password';
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
    const guesses: Counted = { kind: 'password_change', parts: [String(person.id)] };
    const turn = await takeTurn(deps, [guesses], deps.system.now());
    if (turn.outcome === 'limited') {
      const words = `There were too many wrong ones. ${tryAgain(turn)}`;
      return sendPasswordFault(request, tooMany(reply, turn), words);
    }
    const isChanged = await withTurn(deps, turn, () =>
      changePassword(person.id, form.value, askerOf(request, reply), deps),
    );
    if (!isChanged) return sendPasswordFault(request, reply.code(400), 'This is not your password.');
    await startAnew(deps, guesses);
    deps.nudgeOutbox();
    await signIn(request, reply, person.id, deps);
    request.log.info({ userId: person.id }, 'a password was changed');
    return reply.redirect(`${home}?saved`, 303);
  });
}

/** False, and nothing done, when the current password is another one. */
async function changePassword(
  userId: number,
  { current_password: current, new_password: chosen }: z.output<typeof passwordForm>,
  asker: Asker,
  deps: PasswordChangeDeps,
): Promise<boolean> {
  const holder = await findPasswordHolder(deps.db, userId);
  if (holder === undefined || !(await isPassword(current, holder.passwordHash, asker))) return false;
  const change = { userId, formerHash: holder.passwordHash, newHash: await hashPassword(chosen, asker) };
  const notice = writeLetter(passwordChangedLetter(deps.appUrl), holder.email, deps);
  return replacePassword(deps.db, change, notice, deps.system.now());
}

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
