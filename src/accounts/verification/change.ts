import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { normalAddressOf } from '../../platform/mail/budgets.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import { type FormFaults, focusOf, readForm, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { newEmail } from '../fields.ts';
import { consume, rateLimitOf, tooMany, tryAgain } from '../rate-limits/limits.ts';
import { auditContextOf, requireRecentSignIn, sessionOf, settingsPlugin } from '../sessions/session.ts';
import { addressInUseEmail, newAddressEmail } from './emails.ts';
import { newLink } from './link.ts';
import { askToChangeEmail } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/email': Page & FormFaults & { readonly focus: string | undefined };
  }
}

const home = '/settings/profile/email';
const profile = '/settings/profile';
const changeForm = z.object({ email: newEmail });

/** The old address stays in force until the new one is verified (contract §1). */
export const emailChangePlugin = settingsPlugin('email-change', home, async (app) => {
  app.addHook('preValidation', requireRecentSignIn(home));

  app.get(home, async (_request, reply) => sendChangeForm(reply));

  app.post(home, async (request, reply) => {
    const form = readForm(changeForm, request.body);
    if (!form.ok) return sendChangeForm(reply.code(400), form);
    const { person } = sessionOf(request);
    const { email } = form.value;
    const typed = { email };
    if (email === person.email) {
      const faults = { email: 'This is your email address already.' };
      return sendChangeForm(reply.code(400), { typed, faults });
    }
    const attempt = await consume(app, [{ kind: 'verification_request', parts: [String(person.id)] }]);
    if (attempt.outcome === 'limited') {
      const faults = { email: `You’ve asked for several links already. ${tryAgain(attempt)}` };
      return sendChangeForm(tooMany(reply, attempt), { typed, faults });
    }
    await sendLink(request, email);
    return reply.redirect(`${profile}?done=link_sent`, 303);
  });
});

/** The answer doesn't tell whether the address has an account: its owner alone hears of it. */
async function sendLink(request: FastifyRequest, email: string): Promise<void> {
  const app = request.server;
  const { address, tokenHash } = newLink(app);
  const emails = {
    free: renderEmail(newAddressEmail(address), email, app),
    taken: renderEmail(addressInUseEmail(), email, app),
  };
  const limit = rateLimitOf({ kind: 'verification_letter', parts: [normalAddressOf(email)] }, app.secrets);
  const change = { userId: sessionOf(request).person.id, email, tokenHash };
  await askToChangeEmail(app.db, change, emails, limit, auditContextOf(request));
  app.mail.nudge();
}

async function sendChangeForm(reply: FastifyReply, form = untouched) {
  return sendPage(reply, 'accounts/email', {
    title: 'Email address',
    focus: focusOf(form.faults, ['email']),
    ...form,
  });
}
