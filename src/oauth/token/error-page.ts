import { pagesPlugin } from '../../web/page-scope.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { keepEnglish } from '../../web/translated.ts';
import { isTokenRefusalReason, tokenRefusals } from '../core/refusal.ts';
import { piecesOf, tokenAdvice } from './advice.ts';
import { errorsPath } from './response.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/token-errors': Page & { readonly errors: typeof errors };
  }
}

const errors = Object.entries(tokenRefusals).map(([id, [status, error, description]]) => ({
  id,
  status,
  error,
  description,
  isWord: !description.includes(' '),
  advice: isTokenRefusalReason(id) ? piecesOf(tokenAdvice[id]) : [],
}));

export const tokenErrorsPlugin = pagesPlugin('token-errors', async (app) => {
  app.addHook('onRequest', keepEnglish);
  app.get(errorsPath, async (_request, reply) =>
    sendPage(reply, 'oauth/token-errors', { title: 'OAuth errors', errors }),
  );
});
