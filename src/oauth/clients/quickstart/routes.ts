import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Page, sendPage } from '../../../web/pages.ts';
import {
  type ClientRoute,
  clientPage,
  developerHome,
  type ShownClient,
  withOwnClient,
} from '../own-client.ts';
import { describeQuickstart, languageTabs } from './quickstart.ts';
import { languages } from './snippets.ts';

declare module '../../../web/pages.ts' {
  interface Views {
    'oauth/client-quickstart': Page & {
      readonly client: ShownClient;
      readonly quickstart: ReturnType<typeof describeQuickstart>;
      readonly languages: ReturnType<typeof languageTabs>;
    };
  }
}

const query = z.object({ language: z.enum(languages).catch('shell') });

/** With the client's own values, in the language of the address (contract §2). */
export function addQuickstart(app: FastifyInstance): void {
  const { db, config } = app;
  const path = `${developerHome}/:clientId/quickstart`;
  app.get<ClientRoute>(path, { exposeHeadRoute: false }, async (request, reply) =>
    withOwnClient(db, request, reply, async (client) => {
      const { language } = query.parse(request.query);
      return sendPage(reply, 'oauth/client-quickstart', {
        title: `Quickstart for ${client.name}`,
        client,
        quickstart: describeQuickstart(client, config, language),
        languages: languageTabs(`${clientPage(client.id)}/quickstart`, language),
      });
    }),
  );
}
