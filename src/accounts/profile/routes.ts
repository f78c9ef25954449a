import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { nameWeekDays, readerLocaleOf } from '../../platform/locale.ts';
import type { Sentence, Words } from '../../platform/words.ts';
import { type FormFaults, formOf, savedMark as querystring } from '../../web/forms.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { followsBrowser } from '../../web/translated.ts';
import { personName, timeZoneField, username, weekStart } from '../fields.ts';
import { needsVerification, timeFormats, weekDays } from '../person.ts';
import { publicPagesOf } from '../public-pages.ts';
import { auditContextOf, sessionOf, settingsPlugin } from '../sessions/session.ts';
import { findProfile, type Profile, updateProfile } from '../store.ts';
import { nameOfToday, showZones } from '../time-zones.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/profile': Page & ReturnType<typeof describeProfile>;
  }
}

const home = '/settings/profile';

const noUsername = z.literal('').transform(() => null);
const profileForm = z.object({
  name: personName,
  username: z.union([noUsername, username]),
  time_zone: timeZoneField,
  week_start: weekStart,
  time_format: z
    .enum(['12', '24'], { error: 'Choose a time format.' satisfies Sentence })
    .transform((text) => timeFormats.find((hours) => String(hours) === text) ?? 24),
  language: z.string().optional(),
});

const doneWords = {
  link_sent: 'We sent a link to the new address. Your address stays the same until you open it.',
  changed: 'Your email address was changed.',
} as const satisfies Readonly<Record<string, Sentence>>;

export const profilePlugin = settingsPlugin('profile', home, async (app) => {
  tellOutcomes(app, doneWords);

  app.get(home, { schema: { querystring } }, async (request, reply) => {
    const profile = await profileOf(request);
    return sendProfile(reply, profile, { typed: typedFrom(profile), faults: {}, ...request.query });
  });

  app.post(home, { schema: { querystring, body: formOf(profileForm) } }, async (request, reply) => {
    const profile = await profileOf(request);
    const form = request.body;
    const again = (status: number, faults: FormFaults['faults']) =>
      sendProfile(reply.code(status), profile, { typed: form.typed, faults, ...request.query });
    if (!form.ok) return again(400, form.faults);
    const { time_zone: timeZone, week_start: weekStart, time_format: timeFormat, language } = form.value;
    const { name, username } = form.value;
    // An account may never have had a username, but none is given up.
    if (username === null && profile.username !== null)
      return again(400, { username: 'Enter a username.' satisfies Sentence });
    const known = [followsBrowser, ...(app.languages?.tags ?? [])];
    if (language !== undefined && !known.includes(language))
      return again(400, { language: 'Choose a language.' satisfies Sentence });
    const changed = { name, username, timeZone, weekStart, timeFormat };
    const { id } = sessionOf(request).person;
    const updated = await updateProfile(app.db, id, changed, auditContextOf(request));
    if (updated.ok) {
      if (language !== undefined)
        await app.languages?.choose(reply, language === followsBrowser ? null : language);
      const isMoved = nameOfToday(profile.timeZone) !== timeZone;
      return reply.redirect(`${home}?saved${isMoved ? '=time-zone' : ''}`, 303);
    }
    return again(409, { username: 'This username is taken. Choose another.' satisfies Sentence });
  });
});

async function profileOf(request: FastifyRequest): Promise<Profile> {
  const profile = await findProfile(request.server.db, sessionOf(request).person.id);
  if (profile === undefined) throw new Error('the account of a session is gone');
  return profile;
}

function typedFrom({ name, username, weekStart, timeFormat }: Profile): Record<string, string> {
  return {
    name,
    username: username ?? '',
    week_start: weekStart,
    time_format: String(timeFormat),
  };
}

type Shown = FormFaults & z.output<typeof querystring>;

async function sendProfile(reply: FastifyReply, profile: Profile, shown: Shown) {
  return sendPage(reply, 'accounts/profile', describeProfile(reply.request, profile, shown));
}

function describeProfile(request: FastifyRequest, profile: Profile, { saved, ...form }: Shown) {
  const { username, timeZone } = profile;
  const { config, mail, runtime } = request.server;
  const { person } = sessionOf(request);
  const { t, locale } = request.words;
  const language = locale ?? readerLocaleOf(request.headers['accept-language']).language;
  const dayNames = nameWeekDays(locale ?? 'en');
  const zones = showZones(timeZone, { language, hours: person.timeFormat }, runtime.now());
  const typed: FormFaults['typed'] = {
    time_zone: zones.shown,
    language: person.language ?? followsBrowser,
    ...form.typed,
  };
  return {
    title: t('Profile'),
    isSaved: saved !== undefined,
    /** The page points out that schedules keep their own time zone. */
    isMoved: saved === 'time-zone',
    isUnverified: person.emailVerifiedAt === null && mail.isConfigured,
    needsVerification: needsVerification(config, person),
    username: describeUsername(
      request.words,
      username === null,
      publicPagesOf(request.server.parts) !== undefined,
    ),
    /** `changed` makes the browser ask before leaving the page. */
    guard: Object.keys(form.faults).length > 0 ? 'changed' : '',
    zones: zones.list,
    weekDays: weekDays.map((day, index) => [day, dayNames[index] ?? day] as const),
    timeFormats: timeFormats.map((hours) => [hours, t(timeFormatWords[hours])] as const),
    languages: request.languageChoice && [
      [followsBrowser, t('Browser’s language')] as const,
      ...request.languageChoice.names.map(([tag, name]) => [tag, name, tag] as const),
    ],
    ...form,
    typed,
  };
}

/** Without public pages, only apps see a username. */
function describeUsername({ t }: Words, isNew: boolean, hasPages: boolean) {
  const use = isNew
    ? t('Becomes part of the address of your public pages. You can change it later, but you can’t remove it.')
    : t(
        'Part of the address of your public pages. If you change it, links to the old address lead to the new one for 90 days.',
      );
  return {
    label: isNew ? t('Username (optional)') : t('Username'),
    isOptional: isNew,
    hint: hasPages ? use : t('Apps that you approve can see it.'),
  };
}

const timeFormatWords = { 12: '12-hour (1:30 PM)', 24: '24-hour (13:30)' } as const satisfies Record<
  12 | 24,
  Sentence
>;
