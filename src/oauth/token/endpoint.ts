import type { FastifyReply, onResponseHookHandler } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { explainOutage } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type ScopedApp, scopedPlugin } from '../../platform/scoped-plugin.ts';
import { nodeHash } from '../../platform/secrets.ts';
import { type Ok, refuse } from '../../result.ts';
import { isUnreadDocument } from '../client-id.ts';
import type { PresentedClient } from '../core/client.ts';
import type { Authentication } from '../core/ports.ts';
import type { TokenRefusal } from '../core/refusal.ts';
import { formType } from '../http/body.ts';
import { oauthCallOf, readOAuthCalls } from '../http/fastify.ts';
import { readPresented } from '../http/presented.ts';
import { readBy } from './fields.ts';
import { oauthErrors, sendTokenRefusal } from './response.ts';

interface OAuthEndpoint<Body extends z.ZodType> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Body;
  answerOf(app: ScopedApp): z.ZodType<object>;
  readonly onResponse?: onResponseHookHandler;
  open(
    app: ScopedApp,
  ): (
    client: PresentedClient,
    fields: z.output<Body>,
    request: Parameters<onResponseHookHandler>[0],
  ) => Promise<Ok<object> | TokenRefusal>;
}

/** An app's users may all share the network of its server. */
const countedByClient = { noneBecause: 'its grants and wrong secrets are counted by themselves' } as const;

/** Makes an endpoint that reads and refuses as RFC 6749 says (contract §4, §7). */
export function oauthEndpoint<Body extends z.ZodType>(
  name: string,
  {
    path,
    body,
    answerOf,
    onResponse = (_request, _reply, done) => done(),
    open,
    ...words
  }: OAuthEndpoint<Body>,
) {
  const described = {
    ...words,
    tags: ['OAuth'],
    security: [{}, { clientBasic: [] }],
    consumes: [formType],
    body,
  };
  return scopedPlugin(name, ['api-errors'], countedByClient, async (app) => {
    const schema = { ...described, response: { 200: answerOf(app), ...oauthErrors } };
    readOAuthCalls(app, { refuse: sendTokenRefusal, refuseFault: sendFault });
    app.setSerializerCompiler(serializerCompiler);
    const answer = open(app);
    const readFields = readBy(body);
    app.post(path, { schema, onResponse }, async (request, reply) => {
      const call = oauthCallOf(request);
      const read = readPresented(readFields, call.fields, call.basic);
      if (!read.ok) return sendTokenRefusal(reply, read);
      const { client, fields } = read.value;
      // No client has an empty id.
      const known = isUnreadDocument(app, client.clientId) ? { ...client, clientId: '' } : client;
      const outcome = await answer(known, fields, request);
      return outcome.ok ? reply.code(200).send(outcome.value) : sendTokenRefusal(reply, outcome);
    });
    app.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: path,
      config: { refusesMethod: true },
      handler: async (_request, reply) =>
        sendTokenRefusal(reply.header('allow', 'POST'), refuse('method_not_allowed')),
    });
  });
}

export function authenticationOf({
  runtime,
  clientSecretUse,
  buckets,
}: Pick<Platform, 'runtime' | 'clientSecretUse' | 'buckets'>): Authentication {
  return {
    hash: nodeHash,
    failures: { allows: (id) => buckets.wrong_secrets.take([[id, 1]]).isAllowed },
    noteSecretUse: (id) => clientSecretUse.note(id, runtime.now()),
  };
}

function sendFault(reply: FastifyReply, error: unknown): FastifyReply {
  const outage = explainOutage(error);
  reply.log.error({ err: error }, outage ?? 'a token request failed');
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return sendTokenRefusal(reply, refuse(outage === undefined ? 'internal_error' : 'try_again', code));
}
