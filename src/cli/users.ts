import { findShownPerson, promoteAccount, removePasskeys } from '../accounts/admin/store.ts';
import { deletionEmailOf } from '../accounts/deletion/deletion.ts';
import { type DeletionRefusal, deleteAccount } from '../accounts/deletion/store.ts';
import { noticesTo, passkeysRemovedEmail } from '../accounts/emails.ts';
import { hadToVerify } from '../accounts/passwords/store.ts';
import { personalRows, readPages, rowsBeyondIndexes } from '../accounts/personal-data/store.ts';
import { renderEmail } from '../platform/mail/email.ts';
import { findOrphans } from '../platform/orphans/store.ts';
import { english } from '../platform/words.ts';
import { type Command, openTools, Refused, type Tools } from './call.ts';

export const userCommands: readonly Command[] = [
  {
    usage: 'users delete USER [--yes]',
    does: 'Delete an account for good, as its owner can. The service ends within minutes what it has with others.',
    async run(call) {
      await using tools = await openTools(call);
      const { id, email } = await personOf(tools, call.word);
      await call.confirm(`Delete ${email}, its apps and all else that it has for good?`);
      const notice = renderEmail(await deletionEmailOf(tools, id), email, tools);
      const deleted = await deleteAccount(tools, id, notice, tools.by);
      if (!deleted.ok) throw new Refused(deletionRefusals[deleted.reason]);
      return `${email} is deleted.`;
    },
  },
  {
    usage: 'users make-admin USER [--yes]',
    does: 'Make an account an admin. Its password stays, and its sessions end.',
    async run(call) {
      await using tools = await openTools(call);
      const { id, email, name, emailVerifiedAt, isAdmin, suspendedAt } = await personOf(tools, call.word);
      if (isAdmin) throw new Refused(`${email} is already an admin.`);
      if (suspendedAt !== null) throw new Refused(`${email} is suspended. An admin restores it first.`);
      if (emailVerifiedAt === null && tools.config.emailVerification === 'required')
        throw new Refused(`${email} has to verify the address first.`);
      const isSignUp = await hadToVerify(tools.db, tools.config, id);
      const ending = isSignUp ? 'passkeys, and all that was put into it,' : 'passkeys';
      const doubt =
        emailVerifiedAt === null ? ` Nobody has shown that the address is theirs, so its ${ending} end.` : '';
      await call.confirm(`Make ${email} (${name}) an admin?${doubt}`);
      if (!(await promoteAccount(tools, id, tools.by))) throw new Refused(`An app manages ${email}.`);
      return `${email} is an admin.`;
    },
  },
  {
    usage: 'users remove-passkeys USER [--yes]',
    does: 'Remove the passkeys and recovery codes of an account, and sign it out. The person gets an email.',
    async run(call) {
      await using tools = await openTools(call);
      const person = await personOf(tools, call.word);
      await call.confirm(`Remove the passkeys of ${person.email}, so that its password alone signs in?`);
      const notices = noticesTo(tools, person, passkeysRemovedEmail(tools.config.appUrl, english));
      if (!(await removePasskeys(tools, person.id, notices, tools.by)))
        throw new Refused(`${person.email} has no passkeys.`);
      return `${person.email} has no passkeys now.`;
    },
  },
  {
    usage: 'export --user USER',
    does: 'Print all that is stored about a person (an email address or id) as JSON, without secrets.',
    async run(call) {
      await using tools = await openTools(call);
      const person = await personOf(tools, call.text('user'));
      const json: Record<string, unknown> = { exportedAt: tools.by.at };
      for (const rows of [...personalRows(tools, person), ...rowsBeyondIndexes(tools, person)])
        json[rows.name] = (await Array.fromAsync(readPages(tools.db, rows))).flat();
      json['incomplete'] = await findOrphans(tools);
      return { json };
    },
  },
];

const deletionRefusals = {
  not_found: 'It was deleted before, or an app manages it.',
  last_admin: 'It is the only admin. Make someone else an admin first.',
  only_owner: 'It is the only owner of a team or organization.',
} as const satisfies Record<DeletionRefusal, string>;

async function personOf({ db }: Tools, user: string) {
  const person = await findShownPerson(db, user);
  if (person === undefined) throw new Refused('There is no account with this email address or id.');
  return person;
}
