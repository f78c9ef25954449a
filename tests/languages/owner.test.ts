import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { addGroup, addPerson, invite, newAddress } from '../support/groups.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

const reads = (id: number, set: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(set).where(eq(users.id, id));

describe('an email that invites', () => {
  const emailTo = async (email: string, inviterReads: Partial<typeof users.$inferInsert>, on = service) => {
    const owner = await addPerson(service);
    await reads(owner.user.id, inviterReads);
    const group = await addGroup(service, 'organization', owner.user, 'Garden Club');
    await invite(on, group, owner.cookie, email, 'admin');
    const [sent] = await mailTo(service, email);
    return sent?.subject.replace(`Test ${owner.user.username}`, '…');
  };

  test('is in the language of the account that it reaches (contract §1)', async () => {
    const invited = await addUser(service);
    await reads(invited.id, { language: 'ja', lastLanguage: 'fr' });

    expect(await emailTo(invited.email, { language: 'de' })).toBe('… さんから Garden Club への招待');
  });

  test('is in the inviter’s language where nobody has the address, and English where none is known', async () => {
    expect(await emailTo(newAddress(), { language: 'de', lastLanguage: 'fr' })).toBe(
      '… lädt Sie zu Garden Club ein',
    );
    expect(await emailTo(newAddress(), { lastLanguage: 'fr' })).toBe('… vous invite à rejoindre Garden Club');
    expect(await emailTo(newAddress(), { language: null })).toBe('… invites you to join Garden Club');
  });

  test('is English without the part `languages`', async () => {
    const without = await openAnotherInstance(service, { PARTS: '-languages' });

    expect(await emailTo(newAddress(), { language: 'de' }, without)).toBe(
      '… invites you to join Garden Club',
    );
  });
});
