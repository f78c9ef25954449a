import { z } from 'zod';
import { clearCookie, setCookie } from '../accounts/browsers.ts';
import { returnToField } from '../accounts/sessions/return-to.ts';
import { requireFormToken } from '../accounts/sessions/session.ts';
import { pagesPlugin } from '../web/page-scope.ts';
import { choicePath, followsBrowser, knownTag } from './languages.ts';
import { setLanguage } from './store.ts';

/** Browsers keep a cookie for 400 days at most (RFC 6265bis §5.5). */
const cookieSeconds = 400 * 24 * 3600;

const body = z.object({
  language: z.unknown().transform((text) => (text === followsBrowser ? null : knownTag(text))),
});

/** The choice is a person's, and this browser's while nobody is signed in. */
export const languagePlugin = pagesPlugin('language', async (app) => {
  app.addHook('preValidation', requireFormToken);

  const choosing = {
    config: { isForOrganizations: true, oldSignInBecause: 'it changes the words of pages alone' },
    schema: { querystring: returnToField, body }, // protects: C281
  };
  app.post(choicePath, choosing, async (request, reply) => {
    const { language } = request.body;
    if (language !== undefined) {
      if (language === null) clearCookie(reply, 'language');
      else setCookie(reply, 'language', language, cookieSeconds);
      if (request.session !== undefined) await setLanguage(app.db, request.session.person.id, language);
    }
    return reply.redirect(request.query.return_to, 303);
  });
});
