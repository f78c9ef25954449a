import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { renderEmail } from '../../platform/mail/email.ts';
import { ok, type Result, refuse } from '../../result.ts';
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
import { keepEnglish } from '../../web/translated.ts';
import { noticesTo, passkeysRemovedEmail, restorationEmail, suspensionEmail, wordsFor } from '../emails.ts';
import { sendResetEmail } from '../passwords/reset.ts';
import { needsVerification } from '../person.ts';
import { auditContextOf, sessionOf, settingsPlugin } from '../sessions/session.ts';
import { checkAdminPasskeys, requireAdmin } from './admins.ts';
import {
  countBelongings,
  findAccountById,
  listAccounts,
  promoteAccount,
  removePasskeys,
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

interface Deed {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly done: string;
  run(request: FastifyRequest, account: ShownAccount): Promise<Result<void, keyof typeof refusals>>;
}

/** What an admin does for a person who asks for help, after a page that says what it does. */
const deeds: Readonly<Record<string, Deed>> = {
  'send-link': {
    title: 'Send a link for a new password?',
    text: 'The person gets an email with a link that works for 30 minutes, as after “Forgot your password?”.',
    button: 'Send link',
    done: 'Link sent. An address gets at most three in half an hour.',
    async run({ server, words }, { email }) {
      await sendResetEmail(server, email, words);
      return ok(undefined);
    },
  },
  'remove-passkeys': {
    title: 'Remove all passkeys?',
    text: 'Recovery codes go, too, and the person is signed out everywhere and gets an email. The password alone signs in then: make sure that the owner of the account asks for it.',
    button: 'Remove passkeys',
    done: 'Passkeys removed.',
    async run(request, account) {
      const { server } = request;
      const words = await wordsFor(server, account);
      const notices = noticesTo(server, account, passkeysRemovedEmail(server.config.appUrl, words));
      const isDone = await removePasskeys(server, account.id, notices, auditContextOf(request));
      return isDone ? ok(undefined) : refuse('no_passkeys');
    },
  },
  'make-admin': {
    title: 'Make this account an admin?',
    text: 'An admin reviews apps, reads the audit log, and suspends accounts. The person is signed out everywhere, and signs in as an admin. If nobody has verified the address, passkeys and access to apps end.',
    button: 'Make admin',
    done: 'This account is an admin now.',
    async run(request, account) {
      const { server } = request;
      if (needsVerification(server.config, account)) return refuse('not_verified');
      const isDone = await promoteAccount(server, account.id, auditContextOf(request));
      return isDone ? ok(undefined) : refuse('already_so');
    },
  },
};

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
  no_passkeys: [409, 'This account has no passkeys', 'Nothing was changed.'],
  not_verified: [
    409,
    'The address isn’t verified',
    'The person has to verify it first. Nothing was changed.',
  ],
  suspended: [409, 'This account is suspended', 'Restore it first. Nothing was changed.'],
} as const satisfies Record<SuspensionRefusal | 'no_passkeys' | 'not_verified' | 'suspended', PageRefusal>;

/** Serves the pages on which admins find, suspend and restore accounts (contract §1). */
export const accountsPlugin = settingsPlugin('accounts', home, async (app) => {
  app.addHook('onRequest', keepEnglish);
  const { db } = app;
  checkAdminPasskeys(app);
  app.addHook('preValidation', requireAdmin);
  tellOutcomes(app, {
    ...doneWords,
    ...Object.fromEntries(Object.entries(deeds).map(([deed, { done }]) => [deed, done])),
  });

  app.get(home, { schema: { querystring: listQuery } }, async (request, reply) => {
    const { q, after } = request.query;
    const found = await listAccounts(db, q, after, pageSize + 1);
    return sendPage(reply, 'admin/accounts', describeList(request.query, found));
  });

  app.get(`${home}/:userId`, one, async (request, reply) =>
    sendAccount(reply, orNotFound(await findAccountById(db, request.params.userId))),
  );

  for (const [deed, { title, text, button, run }] of Object.entries(deeds)) {
    app.get(`${home}/:userId/${deed}`, one, async (request, reply) => {
      const { id, name } = orNotFound(await findAccountById(db, request.params.userId));
      return sendPage(reply, 'deletion', {
        title,
        text,
        button,
        back: { address: `${home}/${id}`, words: name },
      });
    });

    app.post(`${home}/:userId/${deed}`, one, async (request, reply) => {
      const account = orNotFound(await findAccountById(db, request.params.userId));
      const outcome = account.suspendedAt === null ? await run(request, account) : refuse('suspended');
      return sendOutcome(reply, account, outcome, deed);
    });
  }

  app.post(`${home}/:userId/suspend`, suspending, async (request, reply) => {
    const account = orNotFound(await findAccountById(db, request.params.userId));
    const form = request.body;
    if (!form.ok) return sendAccount(reply.code(400), account, form);
    const { reason } = form.value;
    const notice = renderEmail(suspensionEmail(reason, await wordsFor(app, account)), account.email, app);
    const suspended = await suspendAccount(app, account.id, reason, notice, auditContextOf(request));
    return sendOutcome(reply, account, suspended, 'suspended', reason);
  });

  app.post(`${home}/:userId/restore`, one, async (request, reply) => {
    const account = orNotFound(await findAccountById(db, request.params.userId));
    const words = await wordsFor(app, account);
    const notice = renderEmail(restorationEmail(app.config.appUrl, words), account.email, app);
    const restored = await restoreAccount(db, account.id, notice, auditContextOf(request));
    return sendOutcome(reply, account, restored, 'restored');
  });
});

async function sendOutcome(
  reply: FastifyReply,
  { id }: ShownAccount,
  outcome: Result<void, keyof typeof refusals>,
  done: string,
  reason?: string,
) {
  const address = `${home}/${id}`;
  if (outcome.ok) return reply.redirect(`${address}?done=${done}`, 303);
  return sendRefusalPage(reply, refusals[outcome.reason], { address, words: 'View account' }, reason);
}

function describeList({ q: search, after }: z.output<typeof listQuery>, found: readonly ShownAccount[]) {
  const { shown: accounts, next } = cutPage(found, pageSize, ({ id }) => String(id));
  const query = next && new URLSearchParams({ q: search, after: next });
  const address = query && `${home}?${query.toString()}`;
  return { title: 'Accounts', search, accounts, isFurther: after > 0, next: address };
}

async function sendAccount(reply: FastifyReply, account: ShownAccount, form = untouched) {
  const counts = await countBelongings(reply.server, account.id);
  return sendPage(reply, 'admin/account', describeAccount(reply.request, account, counts, form));
}

function describeAccount(
  request: FastifyRequest,
  account: ShownAccount,
  counts: Awaited<ReturnType<typeof countBelongings>>,
  { typed, faults }: FormFaults,
) {
  const { id, name, email } = account;
  const isOwn = sessionOf(request).person.id === id;
  const audit = `/settings/admin/audit?${new URLSearchParams({ person: email }).toString()}`;
  return { title: name, account, counts, audit, path: `${home}/${id}`, isOwn, typed, faults };
}
