import type { FastifyReply } from 'fastify';
import type { Sentence } from '../platform/words.ts';
import { tellOutcomes } from '../web/outcomes.ts';
import { pagesPlugin } from '../web/page-scope.ts';
import { type Page, sendPage } from '../web/pages.ts';

declare module './public-pages.ts' {
  interface AccountsOfPart {
    readonly home?: Home;
  }
}

/** The last part with a home shows its own. */
export interface Home {
  sendLanding(reply: FastifyReply): Promise<FastifyReply>;
  sendHome(reply: FastifyReply): Promise<FastifyReply>;
}

declare module '../web/pages.ts' {
  interface Views {
    'accounts/landing': Page & { readonly isSignUpOpen: boolean };
    'accounts/home': Page;
  }
}

export const accountsHome: Home = {
  sendLanding: (reply) =>
    sendPage(reply, 'accounts/landing', {
      title: reply.server.config.brand.name,
      description: reply.request.words.t('Give apps access to your account without sharing your password.'),
      isSignUpOpen: reply.server.config.signUp === 'open',
    }),
  sendHome: (reply) => sendPage(reply, 'accounts/home', { title: reply.server.config.brand.name }),
};

const doneWords = {
  verified: 'Your email address is verified.',
  verified_go_back: 'Verified. Go back to where you started.',
} as const satisfies Readonly<Record<string, Sentence>>;

export const homePlugin = pagesPlugin('home', async (app) => {
  tellOutcomes(app, doneWords);
  const home = app.parts.findLast(({ accounts }) => accounts?.home)?.accounts?.home ?? accountsHome;
  app.get('/', async (request, reply) =>
    request.session === undefined ? home.sendLanding(reply) : home.sendHome(reply),
  );
});
