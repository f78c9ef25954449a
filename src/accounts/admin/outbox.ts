import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import type { Db } from '../../platform/database.ts';
import {
  countMessages,
  discardMessage,
  findMessage,
  hurryMessage,
  listMessages,
  outboxViews,
} from '../../platform/mail/store.ts';
import { cutPage, placeBy, placeOf } from '../../web/forms.ts';
import { type Page, sendNotFoundPage, sendPage } from '../../web/pages.ts';
import { auditContextOf, settingsPlugin } from '../sessions/session.ts';
import { requireAdmin } from './admins.ts';

const home = '/settings/admin/outbox';
const pageSize = 50;

/** Anything unreadable means the start of what waits. */
const listQuery = z.object({
  show: z.enum(outboxViews).catch('waiting'),
  behind: placeBy(z.uuid()),
});

const messageParams = z.object({ messageId: z.uuid().optional().catch(undefined) });

declare module '../../web/pages.ts' {
  interface Views {
    'admin/outbox': Page & ReturnType<typeof describeOutbox>;
    'admin/message': Page & { readonly message: ShownMessage & { readonly text: string } };
    'admin/message-state': { readonly state: MessageState };
  }
}

interface MessageState {
  readonly tone: 'good' | 'bad' | 'warn';
  readonly words: string;
  readonly detail?: string;
  readonly at?: Date;
}

type ShownMessage = ReturnType<typeof describe>;

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

function stateOf({ sentAt, failedAt, lastFailure, attempts, dueAt, loggedAt }: Message): MessageState {
  if (sentAt !== null) return { tone: 'good', words: 'sent', at: sentAt };
  if (lastFailure !== null) {
    const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
    if (failedAt !== null)
      return { tone: 'bad', words: lastFailure, detail: `stopped after ${tries}`, at: failedAt };
    return { tone: 'bad', words: lastFailure, detail: `${tries}, next`, at: dueAt };
  }
  return { tone: 'warn', words: loggedAt === null ? 'waiting' : 'not sent' };
}

function describeOutbox(
  { show, behind }: z.output<typeof listQuery>,
  found: readonly Message[],
  { waiting, failing }: Awaited<ReturnType<typeof countMessages>>,
  verifiesEmail: boolean,
) {
  const { shown, next } = cutPage(found, pageSize, ({ createdAt, id }) => placeOf(createdAt, id));
  const current = `${home}?show=${show}`;
  return {
    title: 'Outgoing email',
    verifiesEmail,
    summary: `${waiting} waiting, ${failing} failing.`,
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
  app.addHook('preValidation', requireAdmin);
  const one = { schema: { params: messageParams } };

  app.get(home, { schema: { querystring: listQuery } }, async (request, reply) => {
    const { show, behind } = request.query;
    const [counts, found] = await Promise.all([
      countMessages(app.db),
      listMessages(app.db, show, behind, pageSize + 1),
    ]);
    const verifiesEmail = app.config.emailVerification === 'required';
    return sendPage(reply, 'admin/outbox', describeOutbox(request.query, found, counts, verifiesEmail));
  });

  app.get(`${home}/:messageId`, one, async (request, reply) => {
    const message = await findOne(request.params.messageId);
    if (message === undefined) return sendNotFoundPage(reply);
    return sendPage(reply, 'admin/message', {
      title: message.subject,
      message: { ...describe(message), text: message.text },
    });
  });

  app.post(`${home}/:messageId/try-now`, one, async (request, reply) => {
    const message = await findOne(request.params.messageId);
    if (message === undefined) return sendNotFoundPage(reply);
    await app.db.transaction(async (tx) => {
      await hurryMessage(tx, message.id, app.runtime.now());
      await record(tx, request, 'email.retried', message.id);
    });
    return reply.redirect(`${home}/${message.id}`, 303);
  });

  app.post(`${home}/:messageId/give-up`, one, async (request, reply) => {
    const message = await findOne(request.params.messageId);
    // Discarded already, or sent.
    if (message === undefined) return reply.redirect(home, 303);
    const isDiscarded = await app.db.transaction(async (tx) => {
      if (!(await discardMessage(tx, message.id))) return false;
      await record(tx, request, 'email.discarded', message.id);
      return true;
    });
    if (!isDiscarded) return sendStatusChanged(reply, message.id);
    return reply.redirect(`${home}?show=failing`, 303);
  });

  async function record(
    tx: Db,
    request: FastifyRequest,
    action: 'email.retried' | 'email.discarded',
    objectId: string,
  ): Promise<void> {
    await recordAuditEvent(tx, auditContextOf(request), { action, objectId });
  }

  async function findOne(id: string | undefined) {
    return id === undefined ? undefined : findMessage(app.db, id);
  }
});

async function sendStatusChanged(reply: FastifyReply, id: string): Promise<FastifyReply> {
  return sendPage(reply.code(409), 'error', {
    title: 'This email’s status has changed',
    text: 'It was sent while this page was open, or is being sent now. Nothing was changed.',
    next: { address: `${home}/${id}`, words: 'View email' },
  });
}
