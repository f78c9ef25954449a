import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm } from '../../forms.ts';
import { writeLetter } from '../../outbox/letter.ts';
import { sendPage } from '../../pages.ts';
import { attemptOf, takeTurn } from '../attempts/limits.ts';
import { type Limited, tooMany, tryAgain } from '../attempts/refusal.ts';
import { hashPassword } from '../password.ts';
import { clientAddressOf, networkOf } from '../protection/address.ts';
import { type SessionDeps, signIn } from '../session.ts';
import { askerOf } from '../sign-in.ts';
import { type EndPermissions, findAccount } from '../store.ts';
import { passwordChangedLetter, resetLetter } from './letters.ts';
import { forgotForm, resetForm } from './request.ts';
import { addResetLetter, findPasswordHolder, replacePassword } from './store.ts';
import { isResetToken, makeResetToken, readResetToken } from './token.ts';

export interface PasswordResetDeps extends SessionDeps {
  readonly endPermissions: EndPermissions;
  /** Tells the outbox that there is something to send. */
  readonly nudgeOutbox: () => void;
  /** False where no mail server is set up. */
  readonly hasMail: boolean;
}

/** Nobody's account, for the work to be done on when there is none. */
const nobody = { id: 1, passwordHash: '' } as const;

/** Where people who have forgotten their password ask for a letter. */
export async function registerForgotRoutes(app: FastifyInstance, deps: PasswordResetDeps): Promise<void> {
  app.get('/forgot', async (request, reply) => sendForgotForm(request, reply));

  app.post('/forgot', async (request, reply) => {
    const form = readForm(forgotForm, request.body);
    if (!form.ok) return sendForgotForm(request, reply.code(400), form);
    const now = deps.system.now();
    const network = networkOf(clientAddressOf(request));
    const turn = await takeTurn(deps, [{ kind: 'reset_request', parts: [network] }], now);
    if (turn.outcome === 'limited') return sendTooMany(request, reply, turn);
    await sendResetLetter(form.value.email, deps, now);
    return reply.redirect('/forgot/sent', 303);
  });

  app.get('/forgot/sent', async (request, reply) =>
    sendPage(request, reply, 'accounts/forgot-sent', {
      title: deps.hasMail ? 'Check your e-mail' : 'No e-mail can be sent here',
      hasMail: deps.hasMail,
    }),
  );
}

/**
 * Whether there is such an account must not be told, neither by the answer nor by its time: without one the same work is done, and only the
 * letter is not there in the end (OWASP Forgot Password Cheat Sheet).
 */
async function sendResetLetter(email: string, deps: PasswordResetDeps, now: Date): Promise<void> {
  const account = await findAccount(deps.db, email);
  const { id, passwordHash } = account ?? nobody;
  const token = makeResetToken(id, passwordHash, now, deps.rootSecret);
  const letter = writeLetter(resetLetter(`${deps.appUrl}/reset/${token}`), email, deps);
  const attempt = attemptOf({ kind: 'reset_letter', parts: [email] }, deps.rootSecret);
  await addResetLetter(deps.db, attempt, account === undefined ? undefined : letter, now);
  deps.nudgeOutbox();
}

/** Where the letter's link leads. Register in a scope of its own: its addresses are secrets. */
export async function registerResetRoutes(app: FastifyInstance, deps: PasswordResetDeps): Promise<void> {
  // Never the address of the page, not even to ourselves. Not `no-referrer`: the form's Origin would be null with it, which looks like another
  // site's where browsers send no Sec-Fetch-Site (plain http).
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'strict-origin');
  });

  app.get<{ Params: { token: string } }>('/reset/:token', async (request, reply) => {
    const holder = await findTokenHolder(request.params.token, deps);
    if (holder === undefined) return sendDeadLink(request, reply);
    return sendResetForm(request, reply, holder.email);
  });

  app.post<{ Params: { token: string } }>('/reset/:token', async (request, reply) => {
    const holder = await findTokenHolder(request.params.token, deps);
    if (holder === undefined) return sendDeadLink(request, reply);
    const form = readForm(resetForm, request.body, ['password']);
    if (!form.ok) return sendResetForm(request, reply.code(400), holder.email, form);
    const { userId, passwordHash: formerHash } = holder;
    const change = {
      userId,
      formerHash,
      newHash: await hashPassword(form.value.password, askerOf(request, reply)),
    };
    const notice = writeLetter(passwordChangedLetter(deps.appUrl), holder.email, deps);
    const endPermissions = form.value.disconnect_apps ? deps.endPermissions : undefined;
    const isReplaced = await replacePassword(deps.db, change, notice, deps.system.now(), endPermissions);
    if (!isReplaced) return sendDeadLink(request, reply);
    deps.nudgeOutbox();
    await signIn(request, reply, userId, deps);
    request.log.info({ userId, disconnected: form.value.disconnect_apps }, 'a password was reset');
    return reply.redirect('/settings/password?saved', 303);
  });
}

async function findTokenHolder(text: string, { db, system, rootSecret }: PasswordResetDeps) {
  const token = readResetToken(text, system.now());
  if (token === undefined) return undefined;
  const holder = await findPasswordHolder(db, token.userId);
  if (holder === undefined || !isResetToken(token, holder.passwordHash, rootSecret)) return undefined;
  return { ...holder, userId: token.userId };
}

async function sendForgotForm(
  request: FastifyRequest,
  reply: FastifyReply,
  form: FormFaults = { typed: {}, faults: {} },
): Promise<FastifyReply> {
  return sendPage(request, reply, 'accounts/forgot', { title: 'Forgot your password?', ...form });
}

async function sendResetForm(
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  form: FormFaults = { typed: {}, faults: {} },
): Promise<FastifyReply> {
  return sendPage(request, reply, 'accounts/reset', { title: 'Choose a new password', email, ...form });
}

async function sendDeadLink(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(404), 'error', {
    title: 'This link does not work any more',
    text: 'It works once, for 30 minutes, and not after another change of the password. You can ask for a new one.',
    next: { address: '/forgot', words: 'Ask for a new link' },
  });
}

async function sendTooMany(
  request: FastifyRequest,
  reply: FastifyReply,
  limited: Limited,
): Promise<FastifyReply> {
  return sendPage(request, tooMany(reply, limited), 'error', {
    title: 'Too many requests for new passwords',
    text: `They came from where you are. ${tryAgain(limited)}`,
  });
}
