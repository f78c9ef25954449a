import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Page, pagesPlugin, sendPage } from '../web/pages.ts';
import type { Person } from './person.ts';

declare module '../web/pages.ts' {
  interface Views {
    'accounts/landing': Page & { readonly isSignUpOpen: boolean };
    'accounts/home': Page;
  }
}

/** What is at `/`. Of several parts that have it, the last one's is shown. */
export interface Home {
  /** For those who aren't signed in. */
  sendLanding(reply: FastifyReply): Promise<FastifyReply>;
  sendHome(request: FastifyRequest, reply: FastifyReply, person: Person): Promise<FastifyReply>;
}

export const accountsHome: Home = {
  sendLanding: (reply) =>
    sendPage(reply, 'accounts/landing', {
      title: 'Latchkey',
      description: 'Give apps access to your account without sharing your password.',
      isSignUpOpen: reply.server.config.signUp === 'open',
    }),
  sendHome: (_request, reply) => sendPage(reply, 'accounts/home', { title: 'Latchkey' }),
};

export const homePlugin = pagesPlugin('home', async (app) => {
  const home = app.parts.findLast((part) => part.home)?.home ?? accountsHome;
  app.get('/', async (request, reply) =>
    request.session === undefined
      ? home.sendLanding(reply)
      : home.sendHome(request, reply, request.session.person),
  );
});
