import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireAdmin } from '../accounts/admin-scope.ts';
import { requireFormToken } from '../accounts/form-token.ts';
import { requireSignIn, type SessionDeps } from '../accounts/session.ts';
import {
  countMessages,
  discardMessage,
  findMessage,
  hurryMessage,
  listMessages,
  outboxViews,
} from '../outbox/store.ts';
import { sendNotFoundPage, sendPage } from '../pages.ts';
import { formatPlace, messageId, outboxQuery } from './request.ts';

export interface OutboxPageDeps extends SessionDeps {
  readonly nudgeOutbox: () => void;
  /** False where no mail server is set up. */
  readonly hasMail: boolean;
}

const home = '/settings/admin/outbox';
const pageSize = 50;

interface MessageRoute {
  Params: { messageId: string };
}

/** Where admins see what became of e-mails, and mend what cannot go out. Register in a scope of its own. */
export async function registerOutboxRoutes(app: FastifyInstance, deps: OutboxPageDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireAdmin);
  app.addHook('preHandler', requireFormToken(deps));

  app.get(home, async (request, reply) => {
    const { show, behind } = outboxQuery.parse(request.query);
    const [counts, found] = await Promise.all([
      countMessages(deps.db),
      listMessages(deps.db, show, behind, pageSize + 1),
    ]);
    const messages = found.slice(0, pageSize);
    const last = messages.at(-1);
    const next = found.length > pageSize && last !== undefined ? formatPlace(last) : undefined;
    const { hasMail } = deps;
    const shown = { show, counts, messages, next, isFirst: !behind };
    const data = { title: 'Outbox', views: outboxViews, hasMail, ...shown };
    return sendPage(request, reply, 'admin/outbox', data);
  });

  app.get<MessageRoute>(`${home}/:messageId`, async (request, reply) => {
    const message = await findOne(request);
    if (message === undefined) return sendNotFoundPage(request, reply);
    return sendPage(request, reply, 'admin/message', { title: message.subject, message });
  });

  app.post<MessageRoute>(`${home}/:messageId/try-now`, async (request, reply) => {
    const message = await findOne(request);
    if (message === undefined) return sendNotFoundPage(request, reply);
    await hurryMessage(deps.db, message.id, deps.system.now());
    deps.nudgeOutbox();
    return reply.redirect(`${home}/${message.id}`, 303);
  });

  app.post<MessageRoute>(`${home}/:messageId/give-up`, async (request, reply) => {
    const message = await findOne(request);
    // Given up already, or gone out: the list tells.
    if (message === undefined) return reply.redirect(home, 303);
    const isGivenUp = await discardMessage(deps.db, message.id);
    if (!isGivenUp) return sendMovedOn(request, reply, message.id);
    request.log.info({ mail: { id: message.id } }, 'an admin gave a message up');
    return reply.redirect(`${home}?show=failing`, 303);
  });

  async function findOne({ params }: FastifyRequest<MessageRoute>) {
    const id = messageId.safeParse(params.messageId);
    return id.success ? findMessage(deps.db, id.data) : undefined;
  }
}

async function sendMovedOn(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
  return sendPage(request, reply.code(409), 'error', {
    title: 'This message has moved on',
    text: 'It went out while this page was open, or is being sent at this moment. Nothing was changed.',
    next: { address: `${home}/${id}`, words: 'Look at it again' },
  });
}
