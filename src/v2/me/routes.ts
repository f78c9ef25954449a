import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { weekDays } from '../../accounts/person.ts';
import { sendInputFaults } from '../../api/errors.ts';
import { bearerOf, narrowBearer, requireScope, sendRevokedToken } from '../../oauth/bearer.ts';
import type { NamesOf, ScopeArea } from '../../oauth/permissions.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { line, rowId, timeZone } from '../input.ts';
import { exampleText, exampleUsername, operationsOf, operationsPlugin, successOf } from '../operation.ts';
import { actingContextOf, principalOf, refuseTeamGrant } from '../principals/scope.ts';
import { findMe, type Me } from '../principals/store.ts';
import { changeProfile, recordProfileChange } from './store.ts';

export const calendarHabits = {
  weekStart: z.enum(weekDays).describe('First day of the week.'),
  timeFormat: z.literal([12, 24]).describe('12-hour or 24-hour clock.'),
} as const;

export const profileFields = {
  name: line(80).meta({ examples: ['Alice Smith'] }),
  timeZone,
  ...calendarHabits,
} as const;

export const exampleChanges = { timeZone: 'America/New_York', timeFormat: 12 } as const;

export const profileChanges = z
  .object({
    ...profileFields,
    defaultScheduleId: rowId.describe('One of the user’s schedules, which becomes the default.'),
  })
  .partial()
  .meta({ id: 'ProfileChanges', examples: [exampleChanges] });

const meAnswer = z
  .object({
    id: z.int(),
    email: exampleText('ann@example.com', 'email'),
    emailVerified: z
      .boolean()
      .describe('Whether the user has shown that the email address is theirs. Identify users by `id`.'),
    username: exampleUsername.describe('Username; null if there is none.'),
    name: exampleText('Ann Smith'),
    timeZone: exampleText('Europe/Berlin'),
    ...calendarHabits,
    defaultScheduleId: z
      .int()
      .nullable()
      .describe('Default schedule; null means Monday to Friday, 9:00 to 17:00.'),
    organizationId: z.int().nullable().describe('The organization the user belongs to, or null.'),
    organization: z
      .object({ id: z.int(), isPlatform: z.boolean().describe('Whether its clients can manage users.') })
      .optional()
      .describe('The organization the user belongs to.'),
    team: z
      .object({ id: z.int(), slug: z.string(), name: z.string() })
      .optional()
      .describe('The team the token acts for, if it is limited to one.'),
  })
  .meta({ id: 'Me' });

const scopeOfMe = 'PROFILE_READ';
const meFamily = {
  name: 'Me',
  place: 30,
  version: '2024-04-15',
  words: 'The user a token acts for.',
} as const;
export const profileScopes = {
  title: 'Profile',
  icon: 'user',
  place: 10,
  read: {
    name: 'PROFILE_READ',
    words: 'See your name, email address, username and time zone, and your teams with their members',
    ofTeam: 'See your name, email address, username and time zone, and the members of the team',
    limit: 'See or change your profile, or see your teams',
  },
  write: {
    name: 'PROFILE_WRITE',
    words:
      'See your profile with your email address, and your teams with their members; change your name, time zone, default schedule and how times are shown',
    ofTeam: 'See your name, email address, username and time zone, and the members of the team',
    limit: 'Change your name, time zone or default schedule',
  },
  firstCall: '/v2/me',
} as const satisfies ScopeArea;

declare module '../../oauth/permissions.ts' {
  interface ApiScopes extends NamesOf<typeof profileScopes> {}
}

const read = operationsOf(meFamily, { scope: scopeOfMe });
const write = operationsOf(meFamily, { scope: 'PROFILE_WRITE' });
const mayRead = requireScope(scopeOfMe);
const one = successOf(meAnswer);
export const notOwnSchedule = { defaultScheduleId: 'Use one of the user’s schedules.' };

export const mePlugin = scopedPlugin('me', ['bearer', 'api-versions'], 'requests', async (app) => {
  app.get('/me', read('getMe', 'Get the current user', one, {}), sendMe);
});

export const profileChangesPlugin = operationsPlugin('profile-changes', 'requests', async (app) => {
  app.addHook('preValidation', refuseTeamGrant); // protects: C106
  app.patch(
    '/me',
    write('updateMe', 'Update the current user', one, {
      body: profileChanges,
      description:
        'Omitted fields stay unchanged. Only the user can change the email address and the username.',
      differences: {
        refused: {
          metadata: ['No metadata is stored with users.'],
          email: ['An app can’t change it: its emails can reset the password.'], // protects: C106
        },
      },
    }),
    async (request, reply) => {
      const { userId } = principalOf(request);
      const { clientId } = bearerOf(request);
      const by = actingContextOf(request);
      const isChanged = await changeProfile(app, userId, request.body, (tx) =>
        recordProfileChange(tx, clientId, by),
      );
      return isChanged ? sendMe(request, reply) : sendInputFaults(reply, notOwnSchedule);
    },
  );
});

async function sendMe(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const found = await findMe(request.server, bearerOf(request));
  if (found === undefined) return sendRevokedToken(reply);
  narrowBearer(request, found.registeredScopes);
  return (await mayRead(request, reply)) ?? reply.send({ status: 'success', data: showMe(found) });
}

function showMe({
  grantId: _,
  registeredScopes: _scopes,
  organizationId: id,
  isPlatform,
  team,
  ...profile
}: Me): z.output<typeof meAnswer> {
  return {
    ...profile,
    organizationId: id,
    ...(id === null ? {} : { organization: { id, isPlatform: isPlatform === true } }),
    ...(team === null ? {} : { team }),
  };
}
