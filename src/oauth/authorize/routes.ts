import type { FastifyRequest } from 'fastify';
import { auditContextOf } from '../../accounts/sessions/session.ts';
import { SessionEnded } from '../../accounts/store.ts';
import { explainOutage } from '../../platform/database.ts';
import { LimitReached } from '../../platform/limits/reached.ts';
import { acceptForms } from '../../platform/parameters.ts';
import { pagesPlugin } from '../../web/page-scope.ts';
import { parseParameters } from '../http/authorization-parameters.ts';
import { findRequest } from './asked.ts';
import { answerVisit, type ConsentOutcome, carryOutAnswer } from './consent.ts';
import {
  addressOfPosted,
  authorizationQuery,
  authorizePath,
  consentBody,
  isTopLevelNavigation,
  keepWay,
  queryOf,
} from './request.ts';
import { sendOutcome, sendStopped } from './response.ts';

export const authorizePlugin = pagesPlugin('authorize', async (app) => {
  app.removeContentTypeParser(['application/x-www-form-urlencoded']);
  acceptForms(app, parseParameters);

  const visiting = {
    // Fastify's own parser leaves what isn't UTF-8 encoded.
    preValidation: async (request: FastifyRequest) => {
      request.query = queryOf(request.url);
    },
    schema: { querystring: authorizationQuery },
  };
  app.get(authorizePath, visiting, async (request, reply) => {
    const found = await findRequest(app, request.session, request.query);
    const asked = found.ok ? found.value : found;
    if ('missing' in asked && asked.missing !== undefined)
      app.failedRequests.recordRefused(asked.missing, request.id);
    if (!found.ok) return sendStopped(reply, found);
    const answer = answerVisit(app, found.value, isTopLevelNavigation(request), auditContextOf(request));
    return sendOutcome(reply, found.value, await answer.catch(explainFault(request)));
  });

  const deciding = {
    config: {
      addressOfPosted,
      oldSignInBecause: 'it asks itself where an app gets more power (security C203)',
    },
    preValidation: keepWay,
    schema: { body: consentBody },
  };
  app.post(authorizePath, deciding, async (request, reply) => {
    const { asked, answer } = request.body;
    const found = await findRequest(app, request.session, asked);
    if (!found.ok) return sendStopped(reply, found);
    const outcome = carryOutAnswer(app, found.value, answer, auditContextOf(request));
    return sendOutcome(reply, found.value, await outcome.catch(explainFault(request)));
  });
});

/** The client also learns of our faults from there on, in generic words (contract §3). */
function explainFault({ log }: FastifyRequest) {
  return (error: unknown): ConsentOutcome => {
    if (error instanceof SessionEnded) return { outcome: 'sign_in' };
    if (error instanceof LimitReached) throw error; // protects: C73
    const outage = explainOutage(error);
    log.error({ err: error }, outage ?? 'an authorization request failed');
    return { outcome: 'refused', reason: outage === undefined ? 'server_error' : 'try_again' };
  };
}
