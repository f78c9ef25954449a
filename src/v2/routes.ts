import type {
  FastifyInstance,
  onSendHookHandler,
  preSerializationHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { apiErrorOf } from '../api/errors.ts';
import { compileInput } from '../api/input-faults.ts';
import { bearerPlugin } from '../oauth/bearer.ts';
import { chargeAnswer } from '../platform/limits/buckets.ts';
import { handedIn, type Mounted } from '../platform/parts.ts';
import { nextTurn } from '../platform/runtime.ts';
import { type ScopedApp, scopedPlugin } from '../platform/scoped-plugin.ts';
import { goOnInTurn } from '../platform/turns.ts';
import { limitCallers, limitRoute } from './limits.ts';
import { mePlugin, profileChangesPlugin } from './me/routes.ts';
import { versionsPlugin } from './operation.ts';
import { principalsPlugin } from './principals/scope.ts';

declare module '../platform/parts.ts' {
  interface Part {
    /** Operations of `/v2` are grouped by how callers authenticate. */
    readonly v2?: ApiRoutes;
  }
}

/** A caller's requests take turns, except those of `open`. */
interface ApiRoutes {
  readonly withToken?: readonly Mounted[];
  readonly openInTurn?: readonly Mounted[];
  readonly open?: readonly Mounted[];
  /** A client calls these with its secret. */
  readonly byClient?: readonly Mounted[];
}

/** Mounts the routes of all parts (contract §8), by authentication. */
export const v2Plugin = scopedPlugin('v2', ['api-errors'], 'requests', async (app) => {
  const mounted = (kind: keyof ApiRoutes) => handedIn(app.parts, ({ v2 }) => v2?.[kind]);
  app.setValidatorCompiler(compileInput);
  app.setSerializerCompiler(serializerCompiler);
  acceptEmptyBodies(app);
  app.addHook('preSerialization', takeTurns);
  app.addHook('preHandler', limitRoute);
  app.addHook('onSend', countAnswers); // protects: C54
  await app.register(versionsPlugin);
  await app.register(async function routesWithToken(withToken) {
    await withToken.register(bearerPlugin);
    withToken.addHook('preValidation', limitCallers);
    await withToken.register(mePlugin);
    await withToken.register(async function routesOfPrincipals(acting) {
      acting.addHook('preValidation', takeTurn);
      await acting.register(principalsPlugin);
      await acting.register(profileChangesPlugin);
      await mountAll(acting, mounted('withToken'));
    });
  });
  await app.register(async function openRoutes(open) {
    await open.register(bearerPlugin, { isOptional: true });
    open.addHook('preValidation', limitCallers);
    await open.register(async function routesInTurn(inTurn) {
      inTurn.addHook('preValidation', takeTurn);
      await inTurn.register(principalsPlugin);
      await mountAll(inTurn, mounted('openInTurn'));
    });
    await open.register(principalsPlugin);
    await mountAll(open, mounted('open'));
  });
  await mountAll(app, mounted('byClient'));
});

async function mountAll(app: ScopedApp, all: readonly Mounted[]): Promise<void> {
  for (const { plugin, prefix = '' } of all) await app.register(plugin, { prefix });
}

/** Operations that cost more than `/v2/me` take turns. */
const takeTurn: preValidationHookHandler = (request, _reply, done) =>
  goOnInTurn(request.server.takeTurn(request), done);

const longList = 20;

/** A long list is checked and written without a break, so one of them at a time. */
const takeTurns: preSerializationHookHandler = (_request, _reply, payload, done) => {
  const data =
    typeof payload === 'object' && payload !== null && 'data' in payload ? payload.data : undefined;
  if (Array.isArray(data) && data.length > longList) nextTurn().then(() => done(null, payload), done);
  else done(null, payload);
};

const maxAnswerBytes = 4 * 1024 * 1024;

/** A few requests must not fill memory or hold the event loop (security C54, C217). */
const countAnswers: onSendHookHandler = (request, reply, payload, done) => {
  const bytes = typeof payload === 'string' ? Buffer.byteLength(payload) : 0;
  chargeAnswer(request, bytes); // protects: C218
  request.turn?.end();
  if (bytes <= maxAnswerBytes) return done(null, payload);
  request.log.warn({ bytes }, 'an answer was too large');
  reply.code(400);
  const message = 'The answer would be larger than 4 MB. Ask for fewer items, with take.';
  done(null, JSON.stringify(apiErrorOf(request, 'BadRequest', message)));
};

/**
 * Many libraries name a content type with every call. Without content it says nothing (RFC 9110
 * §8.3).
 */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) =>
    // `null` would be no content, which is another thing, so it's refused as a list is.
    text === '' ? done(null) : parseJson(request, text, (error, body) => done(error, body ?? [])),
  );
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) =>
    text === '' ? done(null) : done(new UnsupportedContent()),
  );
}

class UnsupportedContent extends Error {
  override readonly name = 'UnsupportedContent';
  readonly statusCode = 415;
}
