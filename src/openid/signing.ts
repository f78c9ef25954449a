import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { auditContextOf, sessionOf, settingsPlugin } from '../accounts/sessions/session.ts';
import { ofClient, clientParams as params } from '../oauth/client-id.ts';
import { lockOwnClient } from '../oauth/clients/edits/store.ts';
import { clientPage, developerHome, ownClientOf, type ShownClient } from '../oauth/clients/own-client.ts';
import { chooseIdTokenAlgorithm } from '../oauth/clients/submission.ts';
import { type IdTokenAlgorithm, idTokenAlgorithms } from '../oauth/core/client.ts';
import { orNotFound } from '../web/error-pages.ts';
import { formOf } from '../web/forms.ts';
import { tellOutcomes } from '../web/outcomes.ts';
import { type Page, sendPage } from '../web/pages.ts';
import { keepEnglish } from '../web/translated.ts';

declare module '../web/pages.ts' {
  interface Views {
    'openid/signing': Page & ReturnType<typeof describeSigning>;
  }
}

const home = developerHome;

const words = {
  RS256: 'what most libraries expect.',
  ES256: 'shorter. Your library has to be told: often as id_token_signed_response_alg.',
} as const satisfies Record<IdTokenAlgorithm, string>;

const problems = {
  none: 'Choose an algorithm.',
} as const;

const outcomes = {
  saved: 'Saved. The next ID tokens are signed that way; those that your app has stay valid.',
} as const;

const algorithmForm = formOf(z.object({ algorithm: z.enum(idTokenAlgorithms, { error: problems.none }) }));

/** An app chooses at once, without a review: nobody gets more by it. */
export const signingPlugin = settingsPlugin('id-token-signing', home, async (app) => {
  app.addHook('onRequest', keepEnglish);
  const path = `${home}/:clientId/sign-in`;
  tellOutcomes(app, outcomes);

  app.get(path, ofClient, async (request, reply) =>
    sendSigning(reply, orNotFound(await ownClientOf(app.db, request))),
  );

  app.post(path, { schema: { params, body: algorithmForm } }, async (request, reply) => {
    const client = orNotFound(await ownClientOf(app.db, request));
    const sent = request.body;
    if (!sent.ok) return sendSigning(reply.code(400), client, problems.none);
    const ownerId = sessionOf(request).person.id;
    const { algorithm } = sent.value;
    const by = auditContextOf(request);
    await app.db.transaction(async (tx) => {
      const locked = orNotFound(await lockOwnClient(tx, client.id, ownerId));
      return chooseIdTokenAlgorithm(tx, locked, algorithm, by);
    });
    return reply.redirect(`${clientPage(client.id)}/sign-in?done=saved`, 303);
  });
});

async function sendSigning(reply: FastifyReply, client: ShownClient, fault?: string): Promise<FastifyReply> {
  return sendPage(reply, 'openid/signing', describeSigning(client, reply.server.config.appUrl, fault));
}

function describeSigning(client: ShownClient, issuer: string, fault: string | undefined) {
  const scopes = [...(client.scopes ?? []), ...(client.edit?.scopes ?? [])];
  return {
    title: `Sign-in of ${client.name}`,
    client,
    issuer,
    action: `${clientPage(client.id)}/sign-in`,
    editAddress: `${clientPage(client.id)}/edit`,
    isRegistered: scopes.includes('openid'),
    choices: idTokenAlgorithms.map((value) => ({
      value,
      title: value,
      words: words[value],
      isChosen: value === client.idTokenAlgorithm,
    })),
    faults: fault === undefined ? {} : { algorithm: fault },
  };
}
