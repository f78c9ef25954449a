import { z } from 'zod';
import { type AuditAction, auditSentences } from '../../platform/audit/actions.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { describeBrowser } from '../device-recognition/devices.ts';
import { sessionOf, settingsPlugin } from '../sessions/session.ts';
import { pageSize, placeBehind, placeInQuery } from './place.ts';
import { type ListedEvent, listEvents, teamOf } from './store.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    /** By client ID. */
    readonly findAppNames: (clientIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  }
}

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/activity': Page & {
      readonly events: readonly ReturnType<typeof describe>[];
      readonly isFurther: boolean;
      readonly older: string | undefined;
    };
  }
}

const home = '/settings/activity';
const query = z.object({ behind: placeInQuery });

/** What a person did, and what was decided about their account (contract §1). */
export const activityPlugin = settingsPlugin('activity', home, async (app) => {
  app.get(home, { schema: { querystring: query } }, async (request, reply) => {
    const { behind } = request.query;
    const { id: personId } = sessionOf(request).person;
    const found = await listEvents(app.db, { personId, behind }, pageSize + 1);
    const next = placeBehind(found);
    const appNames = await app.findAppNames(found.flatMap(({ event }) => event.actorClientId ?? []));
    return sendPage(reply, 'accounts/activity', {
      title: 'Account activity',
      events: found.slice(0, pageSize).map((one) => describe(one, personId, appNames)),
      isFurther: behind !== undefined,
      older: next && `${home}?behind=${encodeURIComponent(next)}`,
    });
  });
});

/** Whose `reason` is what was decided, not an admin's words. */
const explained: ReadonlySet<AuditAction> = new Set([
  'grant.approved',
  'grant.repeated',
  'group.role_changed',
]);

function describe(listed: ListedEvent, personId: number, appNames: ReadonlyMap<string, string>) {
  const { event, actorName } = listed;
  const { action, at, label, actorId, actorClientId, address, userAgent } = event;
  const sentences: string | readonly [string, string] = auditSentences[action];
  const [concerned, actor] = typeof sentences === 'string' ? [sentences, sentences] : sentences;
  const [before = '', behind] = (event.userId === personId ? concerned : actor).split('{name}');
  const isAnyone = actorId === null && actorClientId === null;
  const isOwn = (actorId === personId && actorClientId === null) || action === 'user.sign_in_failed';
  return {
    at,
    before,
    /** Of the app, group or calendar; undefined in a sentence without one. */
    name: behind === undefined ? undefined : (label ?? 'something'),
    behind: behind ?? '',
    detail: explained.has(action) ? event.reason : null,
    team: teamOf(listed),
    by: isOwn || isAnyone ? undefined : byWords(event, personId, actorName, appNames),
    // Where others were is nobody's business, unless they tried to get in.
    place: isOwn && address !== null ? `${describeBrowser(userAgent)}, ${address}` : undefined,
  };
}

/** Members of a group know each other; admins stay unnamed. */
function byWords(
  { action, actorId, actorClientId }: ListedEvent['event'],
  personId: number,
  name: string | null,
  appNames: ReadonlyMap<string, string>,
) {
  // The sentence names it.
  if (action === 'profile.changed') return undefined;
  if (actorClientId !== null) return `by ${appNames.get(actorClientId) ?? 'an app'}`;
  return action.startsWith('group.') && name !== null && actorId !== personId ? `by ${name}` : 'by an admin';
}
