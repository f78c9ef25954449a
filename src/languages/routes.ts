import { z } from 'zod';
import { returnToField } from '../accounts/sessions/return-to.ts';
import { requireFormToken } from '../accounts/sessions/session.ts';
import { pagesPlugin } from '../web/page-scope.ts';
import { followsBrowser } from '../web/translated.ts';
import { choicePath, knownTag, visitorLanguages } from './languages.ts';

const body = z.object({
  language: z.unknown().transform((text) => (text === followsBrowser ? null : knownTag(text))),
});

export const languagePlugin = pagesPlugin('language', async (app) => {
  app.addHook('preValidation', requireFormToken);

  const choosing = {
    config: { isForOrganizations: true, oldSignInBecause: 'it changes the words of pages alone' },
    schema: { querystring: returnToField, body }, // protects: C281
  };
  app.post(choicePath, choosing, async (request, reply) => {
    const { language } = request.body;
    if (language !== undefined) await visitorLanguages.choose(reply, language);
    return reply.redirect(request.query.return_to, 303);
  });
});
