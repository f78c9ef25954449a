import { z } from 'zod';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import {
  countMessages,
  discardUnsent,
  findMessage,
  hurryMessage,
  listMessages,
  maxCountedMessages,
  outboxViews,
} from '../../platform/mail/store.ts';
import { orNotFound } from '../../web/error-pages.ts';
import { cutPage, positionBy, positionOf } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { keepEnglish } from '../../web/translated.ts';
import { auditContextOf, settingsPlugin } from '../sessions/session.ts';
import { requireAdmin } from './admins.ts';

const home = '/settings/admin/outbox';
const pageSize = 50;

const listQuery = z.object({
  show: z.enum(outboxViews).catch('waiting'),
  behind: positionBy(z.uuid()),
});

const one = { schema: { params: z.object({ messageId: z.uuid() }) } };

declare module '../../web/pages.ts' {
  interface Views {
    'admin/outbox': Page & ReturnType<typeof describeOutbox>;
    'admin/message': Page & { readonly message: ReturnType<typeof describe> & { readonly text: string } };
    'admin/message-state': { readonly state: ReturnType<typeof stateOf> };
  }
}

type Message = Awaited<ReturnType<typeof listMessages>>[number];

const tabWords = { waiting: 'Waiting', failing: 'Failing', sent: 'Sent' } as const;
const emptyWords = {
  waiting: 'No emails are waiting.',
  failing: 'No emails are failing.',
  sent: 'No emails were sent in the last 30 days.',
} as const;

function describe(message: Message) {
  const { id, subject, recipient, createdAt, lastFailure } = message;
  return { id, subject, recipient, createdAt, state: stateOf(message), isFailing: lastFailure !== null };
}

function stateOf({ sentAt, failedAt, lastFailure, attempts, dueAt, loggedAt }: Message) {
  if (sentAt !== null) return { tone: 'good', words: 'sent', at: sentAt };
  if (lastFailure !== null) {
    const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
    if (failedAt !== null)
      return { tone: 'bad', words: lastFailure, detail: `stopped after ${tries}`, at: failedAt };
    return { tone: 'bad', words: lastFailure, detail: `${tries}, next`, at: dueAt };
  }
  return { tone: 'warn', words: loggedAt === null ? 'waiting' : 'not sent' };
}

const countWords = (count: number): string =>
  count > maxCountedMessages ? `More than ${maxCountedMessages.toLocaleString('en')}` : String(count);

function describeOutbox(
  { show, behind }: z.output<typeof listQuery>,
  found: readonly Message[],
  { waiting, failing }: Awaited<ReturnType<typeof countMessages>>,
  verifiesEmail: boolean,
) {
  const { shown, next } = cutPage(found, pageSize, ({ createdAt, id }) => positionOf(createdAt, id));
  const current = `${home}?show=${show}`;
  return {
    title: 'Outgoing email',
    verifiesEmail,
    summary: `${countWords(waiting)} waiting, ${countWords(failing)} failing.`,
    hasWaiting: waiting > 0,
    tabs: outboxViews.map((view) => ({
      address: `${home}?show=${view}`,
      words: tabWords[view],
      isCurrent: view === show,
    })),
    emptyWords: emptyWords[show],
    messages: shown.map(describe),
    newest: behind && current,
    older: next && `${current}&behind=${encodeURIComponent(next)}`,
  };
}

export const outboxPlugin = settingsPlugin('outbox', home, async (app) => {
  app.addHook('onRequest', keepEnglish);
  app.addHook('preValidation', requireAdmin);

  app.get(home, { schema: { querystring: listQuery } }, async (request, reply) => {
    const { show, behind } = request.query;
    const [counts, found] = await Promise.all([
      countMessages(app.db),
      listMessages(app.db, show, behind, pageSize + 1),
    ]);
    const verifiesEmail = app.config.emailVerification === 'required';
    return sendPage(reply, 'admin/outbox', describeOutbox(request.query, found, counts, verifiesEmail));
  });

  app.get(`${home}/discard`, async (_request, reply) => {
    const { waiting } = await countMessages(app.db);
    if (waiting === 0) return reply.redirect(home, 303);
    const words = waiting === 1 ? '1 waiting email' : `${countWords(waiting)} waiting emails`;
    return sendPage(reply, 'deletion', {
      title: `Discard ${words}?`,
      text: 'They’re never sent, links to verify addresses and to reset passwords among them. You can’t undo this.',
      button: 'Discard waiting emails',
      back: { address: home, words: 'Outgoing email' },
    });
  });

  app.post(`${home}/discard`, async (request, reply) => {
    await discardUnsent(app.db, auditContextOf(request), maxCountedMessages);
    return reply.redirect(home, 303);
  });

  app.get(`${home}/:messageId`, one, async (request, reply) => {
    const message = orNotFound(await findMessage(app.db, request.params.messageId));
    return sendPage(reply, 'admin/message', {
      title: message.subject,
      message: { ...describe(message), text: message.text },
    });
  });

  app.post(`${home}/:messageId/try-now`, one, async (request, reply) => {
    const { id: objectId } = orNotFound(await findMessage(app.db, request.params.messageId));
    await app.db.transaction(async (tx) => {
      await hurryMessage(tx, objectId, app.runtime.now());
      await recordAuditEvent(tx, auditContextOf(request), { action: 'email.retried', objectId });
    });
    return reply.redirect(`${home}/${objectId}`, 303);
  });
});
