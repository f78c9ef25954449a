import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { weekDays } from '../accounts/person.ts';
import type { Db } from '../io/database.ts';
import { type BearerDeps, bearerOf, requireScope, sendRevokedToken } from '../oauth/bearer.ts';
import { describeOperation, successOf } from './operation.ts';
import { findMe } from './store.ts';

const me = z
  .object({
    id: z.int(),
    email: z.string(),
    username: z.string().nullable().describe('Of the public booking page; null: there is none.'),
    name: z.string(),
    timeZone: z.string(),
    weekStart: z.enum(weekDays).describe('The first day of a week in calendars.'),
    timeFormat: z.literal([12, 24]).describe('Hours of a day on the clock.'),
    defaultScheduleId: z.int().nullable().describe('null: the usual working hours.'),
    organizationId: z.int().nullable().describe('null: the user is in no organization.'),
    organization: z
      .object({ id: z.int(), isPlatform: z.boolean().describe('Whether its apps may have managed users.') })
      .optional()
      .describe('The organization that the user is in.'),
    team: z
      .object({ id: z.int(), slug: z.string(), name: z.string() })
      .optional()
      .describe('The team that the permission was given for, if it was for one.'),
  })
  .meta({
    id: 'Me',
    examples: [
      {
        id: 42,
        email: 'ann@example.com',
        username: 'ann',
        name: 'Ann Smith',
        timeZone: 'Europe/Berlin',
        weekStart: 'Monday',
        timeFormat: 24,
        defaultScheduleId: 7,
        organizationId: null,
      },
    ],
  });

/** `GET /v2/me`: the user that the token acts for, contract §5. */
export function registerMe(scope: FastifyInstance, deps: BearerDeps & { readonly db: Db }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/me',
    {
      schema: describeOperation(
        {
          operationId: 'getMe',
          summary: 'The user that the token acts for',
          family: 'Me',
          scope: 'PROFILE_READ',
        },
        200,
        successOf(me),
      ),
      preValidation: requireScope('PROFILE_READ', deps),
    },
    async (request, reply) => {
      const found = await findMe(deps.db, bearerOf(request).grantId);
      if (found === undefined) return sendRevokedToken(request, reply, deps);
      const { organizationId: id, isPlatform, team, ...profile } = found;
      const data = {
        ...profile,
        organizationId: id,
        ...(id === null ? {} : { organization: { id, isPlatform: isPlatform === true } }),
        ...(team === null ? {} : { team }),
      };
      return reply.send({ status: 'success', data });
    },
  );
}
