import { z } from 'zod';
import type { Sentence, Words } from '../../platform/words.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { describeBrowser, deviceOf, setDeviceCookie } from '../browsers.ts';
import { auditContextOf, sessionOf, settingsPlugin, signOut } from './session.ts';
import { addDevice, endOtherSession, endOtherSessions, listSessions } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/sessions': Page & ReturnType<typeof describeSessions>;
  }
}

const home = '/settings/sessions';
const doneWords = {
  one: 'That browser was signed out.',
  others: 'All other browsers were signed out.',
} as const satisfies Readonly<Record<string, Sentence>>;
const params = z.object({ idHash: z.string().regex(/^[\w-]{43}$/) });

export const sessionPagesPlugin = settingsPlugin('session-pages', home, async (app) => {
  tellOutcomes(app, doneWords);

  app.get(home, async (request, reply) => {
    const { idHash, person } = sessionOf(request);
    const rows = await listSessions(app.db, person.id, idHash, app.runtime.now());
    return sendPage(reply, 'accounts/sessions', describeSessions(rows, idHash, request.words));
  });

  const config = { oldSignInBecause: 'it ends sessions' };
  app.post(`${home}/:idHash/sign-out`, { config, schema: { params } }, async (request, reply) => {
    const { idHash, person } = sessionOf(request);
    if (request.params.idHash === idHash) {
      await signOut(reply);
      return reply.redirect('/', 303);
    }
    await endOtherSession(app.db, person.id, request.params.idHash, auditContextOf(request));
    return reply.redirect(`${home}?done=one`, 303);
  });

  app.post(`${home}/sign-out-others`, { config }, async (request, reply) => {
    const { idHash, person } = sessionOf(request);
    const device = deviceOf(request);
    await addDevice(app.db, device.idHash, person.id, app.runtime.now());
    setDeviceCookie(reply, device);
    const kept = { sessionIdHash: idHash, deviceIdHash: device.idHash };
    await endOtherSessions(app.db, person.id, kept, auditContextOf(request));
    return reply.redirect(`${home}?done=others`, 303);
  });
});

function describeSessions(rows: Awaited<ReturnType<typeof listSessions>>, ownIdHash: string, words: Words) {
  const { t } = words;
  return {
    title: t('Sessions'),
    sessions: rows.map((row) => ({
      ...row,
      address: row.address ?? t('Unknown address'),
      browser: describeBrowser(row.userAgent, words),
      isThisBrowser: row.idHash === ownIdHash,
    })),
    hasOthers: rows.length > 1,
  };
}
