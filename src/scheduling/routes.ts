import type { FastifyInstance, onSendHookHandler, preSerializationHookHandler } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { apiErrorOf } from '../api/errors.ts';
import { compileInput } from '../api/input-faults.ts';
import { bearerPlugin } from '../oauth/bearer.ts';
import { nextTurn } from '../platform/runtime.ts';
import { scopedPlugin } from '../platform/scoped-plugin.ts';
import { countAnswer, limitCallers, takeTurn } from '../v2/limits.ts';
import { mePlugin, profileChangesPlugin } from '../v2/me/routes.ts';
import { versionsPlugin } from '../v2/operation.ts';
import { principalsPlugin } from '../v2/principals/scope.ts';
import { bookingCreationPlugin } from './bookings/creation-routes.ts';
import { bookingsPlugin } from './bookings/routes.ts';
import { calendarsPlugin, destinationPlugin } from './calendars/routes.ts';
import { eventTypeListsPlugin } from './event-types/lists.ts';
import { eventTypesPlugin } from './event-types/routes.ts';
import { managedUsersPlugin } from './managed-users/routes.ts';
import { schedulesPlugin } from './schedules/routes.ts';
import { slotsPlugin } from './slots/routes.ts';
import { teamsApiPlugin } from './teams/routes.ts';
import { appWebhooksPlugin, teamWebhooksPlugin, webhooksPlugin } from './webhooks/routes.ts';

/** The scheduling API (contract §8), by authentication: token, optional token, client. */
export const schedulingPlugin = scopedPlugin('scheduling', ['api-errors'], async (app) => {
  app.setValidatorCompiler(compileInput);
  app.setSerializerCompiler(serializerCompiler);
  acceptEmptyJson(app);
  app.addHook('preSerialization', takeTurns);
  app.addHook('onSend', countAnswers);
  await app.register(versionsPlugin);
  await app.register(async function routesWithToken(withToken) {
    await withToken.register(bearerPlugin);
    withToken.addHook('preValidation', limitCallers);
    await withToken.register(mePlugin);
    await withToken.register(async function routesOfPrincipals(acting) {
      acting.addHook('preValidation', takeTurn);
      await acting.register(principalsPlugin);
      await acting.register(profileChangesPlugin);
      await acting.register(teamsApiPlugin);
      await acting.register(eventTypesPlugin);
      await acting.register(schedulesPlugin, { prefix: '/schedules' });
      await acting.register(calendarsPlugin, { prefix: '/calendars' });
      await acting.register(destinationPlugin, { prefix: '/destination-calendars' });
      await acting.register(webhooksPlugin, { prefix: '/webhooks' });
      await acting.register(teamWebhooksPlugin, { prefix: '/teams/:teamId/webhooks' });
    });
  });
  await app.register(async function openRoutes(open) {
    await open.register(bearerPlugin, { isOptional: true });
    open.addHook('preValidation', limitCallers);
    await open.register(async function routesInTurn(inTurn) {
      inTurn.addHook('preValidation', takeTurn);
      await inTurn.register(principalsPlugin);
      await inTurn.register(eventTypeListsPlugin);
      await inTurn.register(bookingsPlugin);
    });
    await open.register(principalsPlugin);
    await open.register(slotsPlugin, { prefix: '/slots' });
    await open.register(bookingCreationPlugin);
  });
  await app.register(appWebhooksPlugin, { prefix: '/oauth-clients/:clientId/webhooks' });
  await app.register(managedUsersPlugin, { prefix: '/oauth-clients/:clientId/users' });
});

const longList = 20;

/** A long list is checked and written without a break, so one of them at a time. */
const takeTurns: preSerializationHookHandler = (_request, _reply, payload, done) => {
  const data =
    typeof payload === 'object' && payload !== null && 'data' in payload ? payload.data : undefined;
  if (Array.isArray(data) && data.length > longList) nextTurn().then(() => done(null, payload), done);
  else done(null, payload);
};

const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * Counts what was read, and refuses what is too much, so that a few requests can't fill memory and
 * hold the event loop (security C54, C217).
 */
const countAnswers: onSendHookHandler = (request, reply, payload, done) => {
  const bytes = typeof payload === 'string' ? Buffer.byteLength(payload) : 0;
  countAnswer(reply, bytes);
  request.endTurn?.();
  if (bytes <= maxAnswerBytes) return done(null, payload);
  request.log.warn({ bytes }, 'an answer was too large');
  reply.code(400);
  const message = 'The answer would be larger than 4 MB. Ask for fewer items, with take.';
  done(null, JSON.stringify(apiErrorOf(request, 'BadRequest', message)));
};

/** Some clients send an empty body with this content type. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === '' ? done(null) : parseJson(request, text, done),
  );
}
