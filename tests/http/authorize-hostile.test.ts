import { describe, expect, test } from 'vitest';
import { requestOf } from '../support/authorization.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { addressesOn, isOwnAddress, skeletonOf, textOf, wordsAround } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser, openAuthorizePage, startSession } from '../support/world.ts';

const service = await sharedService();
const cookie = await startSession(service, await addUser(service));

async function openPageOf(name: string, parameters: Readonly<Record<string, string>> = {}) {
  const client = await addClient(service, { name });
  return openAuthorizePage(service, requestOf(client, parameters), cookie);
}

/** The page of a user who manages a team of this name: with the choice, and with the team fixed. */
async function openTeamPages(name: string): Promise<readonly [offered: string, fixed: string]> {
  const client = await addClient(service);
  const manager = await addUser(service);
  const managerCookie = await startSession(service, manager);
  const team = await addTeam(service, manager, 'owner', name);
  const offered = await openAuthorizePage(service, requestOf(client), managerCookie);
  const fixed = await openAuthorizePage(service, requestOf(client, { team_slug: team.slug }), managerCookie);
  return [offered.body, fixed.body];
}

const plain = {
  page: skeletonOf((await openPageOf('Plain')).body),
  state: skeletonOf((await openPageOf('Plain', { state: 'plain' })).body),
  scope: skeletonOf((await openPageOf('Plain', { scope: 'PROFILE_READ' })).body),
  teamPages: (await openTeamPages('Plain')).map(skeletonOf),
};

describe.each(Object.entries(hostileTexts))('%s', (_name, text) => {
  test("as a client's name stays text, apart from the words around it (security C33)", async () => {
    const page = await openPageOf(text);

    expect(page.statusCode).toBe(200);
    expect(skeletonOf(page.body)).toEqual(plain.page);
    expect(textOf(page.body)).toContain(`${text} wants access to your Latchkey account`);
    expect(wordsAround(page.body)).not.toContain(text);
    expect(addressesOn(page.body).filter((address) => !isOwnAddress(address))).toEqual([]);
  });

  test.each([
    ['state', text],
    ['scope', `PROFILE_READ ${text}`],
  ] as const)('as %s stays text (security C33)', async (parameter, value) => {
    const page = await openPageOf('Plain', { [parameter]: value });

    expect(page.statusCode).toBe(200);
    expect(skeletonOf(page.body)).toEqual(plain[parameter]);
  });

  test("as a team's name stays text, in the choice and alone (security C33)", async () => {
    const [offered, fixed] = await openTeamPages(text);

    expect(textOf(offered)).toContain(`${text} (team)`);
    expect(textOf(fixed)).toContain(`to the team ${text}`);
    expect([offered, fixed].map(skeletonOf)).toEqual(plain.teamPages);
  });
});
