import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { groupKinds } from '../../src/accounts/person.ts';
import { users } from '../../src/accounts/tables.ts';
import { withoutLinks, withPlainBreaks } from '../../src/platform/plain-text.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  addPerson,
  inviteTo,
  newAddress,
  openAs,
  type TestGroup,
} from '../support/groups.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { addressesOn, isOwnAddress, skeletonOf, textOf, wordsAround } from '../support/page-content.ts';
import { mailTo } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();

/** Everything that shows a group's name and that of its owner, who has the same, and its letter. */
async function showEverywhere(kind: TestGroup['kind'], name: string) {
  const owner = await addPerson(service);
  await service.database.db.update(users).set({ name }).where(eq(users.id, owner.user.id));
  const group = await addGroup(service, kind, owner.user, name);
  const member = await addMember(service, group, 'member');
  const stranger = await addPerson(service);
  const { link } = await addInvitation(service, group, owner.user);
  const email = newAddress();
  await inviteTo(service, group, owner.cookie, email);
  const open = async (path: string, cookie?: string): Promise<string> =>
    (await openAs(service, path, cookie)).body;
  const pages = {
    'its own page': await open(group.page, owner.cookie),
    'its page for a member': await open(group.page, member.cookie),
    'the form to edit it': await open(`${group.path}/edit`, owner.cookie),
    'the page to delete it': await open(`${group.path}/delete`, owner.cookie),
    'the invitation, signed out': await open(link),
    'the invitation': await open(link, stranger.cookie),
    'the invitation, for a member': await open(link, member.cookie),
  };
  return { pages, letter: (await mailTo(service, email)).at(-1) };
}

const plain = {
  team: await showEverywhere('team', 'Plain'),
  organization: await showEverywhere('organization', 'Plain'),
} as const;

describe.each(groupKinds)('the names of the %s and its owner', (kind) => {
  test.each(Object.entries(hostileTexts))(
    'that are %s stay text wherever it is shown (security C33)',
    async (_, text) => {
      const { pages, letter } = await showEverywhere(kind, text);

      for (const [place, html] of Object.entries(pages)) {
        const plainHtml = new Map(Object.entries(plain[kind].pages)).get(place) ?? '';
        expect(skeletonOf(html), place).toEqual(skeletonOf(plainHtml));
        expect(textOf(html), place).toContain(text);
        expect(
          addressesOn(html).filter((address) => !isOwnAddress(address)),
          place,
        ).toEqual([]);
        if (place !== 'the form to edit it') expect(wordsAround(html), place).not.toContain(text);
      }
      expect(skeletonOf(letter?.html ?? '')).toEqual(skeletonOf(plain[kind].letter?.html ?? ''));
      // An email knows one kind of line break, and no links of others.
      expect(letter?.text).toContain(withPlainBreaks(withoutLinks(text)));
    },
  );
});
