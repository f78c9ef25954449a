import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm, typedFields } from '../../forms.ts';
import { sendPage } from '../../pages.ts';
import { requireFormToken } from '../form-token.ts';
import { timeFormats, weekDays } from '../person.ts';
import { requireSignIn, type SessionDeps, sessionOf } from '../session.ts';
import { listZoneChoices, nameOfToday } from '../time-zones.ts';
import { profileForm } from './request.ts';
import { findProfile, type Profile, updateProfile } from './store.ts';

const home = '/settings/profile';

/** Where people say what they are called, and how they read the time. Register in a scope of its own. */
export async function registerProfileRoutes(app: FastifyInstance, deps: SessionDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireFormToken(deps));

  const { now } = deps.system;

  app.get('/settings', async (_request, reply) => reply.redirect(home, 303));

  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(home, async (request, reply) => {
    const profile = await profileOf(request, deps);
    const isSaved = 'saved' in request.query;
    return sendProfile(request, reply, profile, { typed: typedFrom(profile), faults: {} }, now(), isSaved);
  });

  app.post(home, async (request, reply) => {
    const profile = await profileOf(request, deps);
    const form = readForm(profileForm({ hasUsername: profile.username !== null }), request.body);
    if (!form.ok) return sendProfile(request, reply.code(400), profile, form, now());
    const {
      name,
      username,
      time_zone: timeZone,
      week_start: weekStart,
      time_format: timeFormat,
    } = form.value;
    const changed = { name, username, timeZone, weekStart, timeFormat };
    const updated = await updateProfile(deps.db, sessionOf(request).person.id, changed);
    if (!updated.ok) {
      const faults = { username: 'This username is taken. Choose another.' };
      return sendProfile(request, reply.code(409), profile, { typed: typedFrom(changed), faults }, now());
    }
    return reply.redirect(`${home}?saved`, 303);
  });
}

async function profileOf(request: FastifyRequest, { db }: SessionDeps): Promise<Profile> {
  const profile = await findProfile(db, sessionOf(request).person.id);
  if (profile === undefined) throw new Error('the account of a session is gone');
  return profile;
}

function typedFrom({ name, username, timeZone, weekStart, timeFormat }: Profile): Record<string, string> {
  const fields = {
    name,
    time_zone: nameOfToday(timeZone),
    week_start: weekStart,
    time_format: String(timeFormat),
  };
  return typedFields({ ...fields, username: username ?? '' }, []);
}

async function sendProfile(
  request: FastifyRequest,
  reply: FastifyReply,
  { username }: Profile,
  form: FormFaults,
  now: Date,
  isSaved = false,
): Promise<FastifyReply> {
  return sendPage(request, reply, 'accounts/profile', {
    title: 'Profile',
    isSaved,
    hasUsername: username !== null,
    hasFaults: Object.keys(form.faults).length > 0,
    timeZones: listZoneChoices(now).map(({ name, words }) => [name, words]),
    weekDays: weekDays.map((day) => [day, day]),
    timeFormats: timeFormats.map((hours) => [hours, timeFormatWords[hours]]),
    ...form,
  });
}

const timeFormatWords = { 12: '12 hours, 1:30 pm', 24: '24 hours, 13:30' } as const;
