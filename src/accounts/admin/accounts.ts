import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { renderEmail } from '../../platform/mail/email.ts';
import type { Result } from '../../result.ts';
import { orNotFound, type PageRefusal, sendRefusalPage } from '../../web/error-pages.ts';
import {
  cutPage,
  type FormFaults,
  formOf,
  rowIdInPath,
  searchText,
  textOf,
  untouched,
} from '../../web/forms.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { restorationEmail, suspensionEmail } from '../emails.ts';
import { auditContextOf, sessionOf, settingsPlugin } from '../sessions/session.ts';
import { checkAdminPasskeys, requireAdmin } from './admins.ts';
import {
  findAccountById,
  listAccounts,
  restoreAccount,
  type ShownAccount,
  type SuspensionRefusal,
  suspendAccount,
} from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'admin/accounts': Page & ReturnType<typeof describeList>;
    'admin/account': Page & ReturnType<typeof describeAccount>;
    'admin/account-badges': { readonly account: Pick<ShownAccount, 'isAdmin' | 'suspendedAt'> };
  }
}

const home = '/settings/admin/accounts';
const pageSize = 50;
const doneWords = {
  suspended: 'Account suspended.',
  restored: 'Account restored.',
} as const;

const listQuery = z.object({
  q: searchText,
  after: z.coerce.number().int().min(0).max(2_147_483_647).catch(0),
});
const one = { schema: { params: z.object({ userId: rowIdInPath }) } };
const reason = textOf(1000, 'Enter a reason.');
const suspending = { schema: { ...one.schema, body: formOf(z.object({ reason })) } };

const refusals = {
  not_found: [404, 'No such account', 'It was deleted, or an app manages it.'],
  own_account: [409, 'You can’t suspend yourself', 'Ask another admin. One active admin always stays.'],
  last_admin: [409, 'This is the only admin', 'Make someone else an admin first.'],
  already_so: [409, 'This account’s status has changed', 'Another admin was faster. Nothing was changed.'],
  no_admin: [403, 'Admins only', 'Your account can’t do this.'],
} as const satisfies Record<SuspensionRefusal, PageRefusal>;

/** Serves the pages on which admins find, suspend and restore accounts (contract §1). */
export const accountsPlugin = settingsPlugin('accounts', home, async (app) => {
  const { db } = app;
  checkAdminPasskeys(app);
  app.addHook('preValidation', requireAdmin);
  tellOutcomes(app, doneWords);

  app.get(home, { schema: { querystring: listQuery } }, async (request, reply) => {
    const { q, after } = request.query;
    const found = await listAccounts(db, q, after, pageSize + 1);
    return sendPage(reply, 'admin/accounts', describeList(request.query, found));
  });

  app.get(`${home}/:userId`, one, async (request, reply) =>
    sendAccount(reply, orNotFound(await findAccountById(db, request.params.userId))),
  );

  app.post(`${home}/:userId/suspend`, suspending, async (request, reply) => {
    const account = orNotFound(await findAccountById(db, request.params.userId));
    const form = request.body;
    if (!form.ok) return sendAccount(reply.code(400), account, form);
    const { reason } = form.value;
    const notice = renderEmail(suspensionEmail(reason), account.email, app);
    const suspended = await suspendAccount(app, account.id, reason, notice, auditContextOf(request));
    return sendOutcome(reply, account, suspended, 'suspended');
  });

  app.post(`${home}/:userId/restore`, one, async (request, reply) => {
    const account = orNotFound(await findAccountById(db, request.params.userId));
    const notice = renderEmail(restorationEmail(app.config.appUrl), account.email, app);
    const restored = await restoreAccount(db, account.id, notice, auditContextOf(request));
    return sendOutcome(reply, account, restored, 'restored');
  });
});

async function sendOutcome(
  reply: FastifyReply,
  { id }: ShownAccount,
  outcome: Result<void, SuspensionRefusal>,
  done: keyof typeof doneWords,
) {
  const address = `${home}/${id}`;
  if (outcome.ok) return reply.redirect(`${address}?done=${done}`, 303);
  return sendRefusalPage(reply, refusals[outcome.reason], { address, words: 'View account' });
}

function describeList({ q: search, after }: z.output<typeof listQuery>, found: readonly ShownAccount[]) {
  const { shown: accounts, next } = cutPage(found, pageSize, ({ id }) => String(id));
  const query = next && new URLSearchParams({ q: search, after: next });
  const address = query && `${home}?${query.toString()}`;
  return { title: 'Accounts', search, accounts, isFurther: after > 0, next: address };
}

async function sendAccount(reply: FastifyReply, account: ShownAccount, form = untouched) {
  return sendPage(reply, 'admin/account', describeAccount(reply.request, account, form));
}

function describeAccount(request: FastifyRequest, account: ShownAccount, { typed, faults }: FormFaults) {
  const { id, name } = account;
  const isOwn = sessionOf(request).person.id === id;
  return { title: name, account, path: `${home}/${id}`, isOwn, typed, faults };
}
