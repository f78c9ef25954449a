import type { FastifyInstance } from 'fastify';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { readDone } from '../done.ts';
import { requireFormToken } from '../form-token.ts';
import { describeBrowser } from '../protection/browser.ts';
import { rememberDevice } from '../protection/devices.ts';
import { requireSignIn, type SessionDeps, sessionOf, signOut } from '../session.ts';
import { endOtherSessions, endOwnSession, listSessions } from './store.ts';

const home = '/settings/sessions';
const mostShown = 100;
const doneWords = {
  one: 'That browser is signed out.',
  others: 'All other browsers are signed out.',
} as const;
const idHashPattern = /^[\w-]{43}$/;

/** Where people see in which browsers they are signed in, and end it. Register in a scope of its own. */
export async function registerSessionRoutes(app: FastifyInstance, deps: SessionDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireFormToken(deps));

  app.get(home, async (request, reply) => {
    const { idHash, person } = sessionOf(request);
    const rows = await listSessions(deps.db, person.id, idHash, deps.system.now(), mostShown);
    const sessions = rows.map((row) => ({
      ...row,
      browser: describeBrowser(row.userAgent),
      isThisBrowser: row.idHash === idHash,
    }));
    const done = readDone(request.query, doneWords);
    return sendPage(request, reply, 'accounts/sessions', { title: 'Sessions', sessions, mostShown, done });
  });

  app.post<{ Params: { idHash: string } }>(`${home}/:idHash/sign-out`, async (request, reply) => {
    const { idHash, person } = sessionOf(request);
    if (!idHashPattern.test(request.params.idHash)) return sendNotFoundPage(request, reply);
    if (request.params.idHash === idHash) {
      await signOut(request, reply, deps);
      return reply.redirect('/', 303);
    }
    await endOwnSession(deps.db, person.id, request.params.idHash);
    request.log.info({ userId: person.id }, 'a person ended a session');
    return reply.redirect(`${home}?done=one`, 303);
  });

  app.post(`${home}/sign-out-others`, async (request, reply) => {
    const { idHash, person } = sessionOf(request);
    const deviceIdHash = await rememberDevice(request, reply, person.id, deps);
    await endOtherSessions(deps.db, person.id, { sessionIdHash: idHash, deviceIdHash });
    request.log.info({ userId: person.id }, 'a person ended all other sessions');
    return reply.redirect(`${home}?done=others`, 303);
  });
}
