import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { invitationTokenOf } from '../../src/accounts/groups/invitations/invitations.ts';
import { putInvitation } from '../../src/accounts/groups/invitations/store.ts';
import {
  createGroup,
  type GroupRef,
  listMembers,
  addMember as storeMember,
} from '../../src/accounts/groups/store.ts';
import type { Role } from '../../src/accounts/person.ts';
import { invitations } from '../../src/accounts/tables.ts';
import { openEmail } from '../../src/platform/mail/email.ts';
import { formTokenOf, mailTo, postOwnForm } from './registration.ts';
import type { TestService } from './service.ts';
import { addTeam } from './teams.ts';
import { addUser, postForm, startSession, type TestUser } from './world.ts';

export interface TestGroup extends GroupRef {
  readonly name: string;
  /** Where it is shown. */
  readonly page: string;
  /** What the paths of its actions begin with. */
  readonly path: string;
}

/** A user with a browser. */
export interface TestPerson {
  readonly user: TestUser;
  readonly cookie: string;
}

export async function addPerson(
  service: TestService,
  options?: Parameters<typeof addUser>[1],
): Promise<TestPerson> {
  const user = await addUser(service, options);
  return { user, cookie: await startSession(service, user) };
}

/** A team or an organization that the user owns. */
export async function addGroup(
  service: TestService,
  kind: GroupRef['kind'],
  owner: TestUser,
  name = `Test ${kind}`,
): Promise<TestGroup> {
  if (kind === 'team') {
    const { id } = await addTeam(service, owner, 'owner', name);
    return { kind, id, name, page: `/settings/teams/${id}`, path: `/settings/teams/${id}` };
  }
  const organization = { kind, slug: `org-${randomBytes(6).toString('hex')}`, name };
  const { db } = service.database;
  const id = await createGroup(db, organization, [{ userId: owner.id, role: 'owner' }], service.clock.now());
  return { kind, id, name, page: '/settings/organization', path: `/settings/organization/${id}` };
}

/** One more person in the group. */
export async function addMember(service: TestService, group: TestGroup, role: Role): Promise<TestPerson> {
  const person = await addPerson(service);
  await storeMember(service.database.db, group, person.user.id, role);
  return person;
}

/** The group's people by id, with their roles. */
export async function rolesOf(
  { database }: TestService,
  group: GroupRef,
): Promise<Readonly<Record<number, Role>>> {
  const members = await listMembers(database.db, group, { take: 1000 });
  return Object.fromEntries(members.map((member) => [member.id, member.role]));
}

/** Opens a page as a user. */
export async function openAs(
  { app }: TestService,
  url: string,
  cookie?: string,
): Promise<LightMyRequestResponse> {
  return app.inject({ url, headers: cookie === undefined ? {} : { cookie } });
}

/** Sends the invitation form. */
export async function invite(
  service: TestService,
  { path }: TestGroup,
  cookie: string,
  email: string,
  role: Role = 'member',
): Promise<LightMyRequestResponse> {
  return postOwnForm(service, `${path}/invite`, { email, role }, cookie);
}

export function newAddress(): string {
  return `invited-${randomBytes(6).toString('hex')}@example.com`;
}

/** The path of the link in the last email to an address; empty when there is none. */
export async function linkTo(service: TestService, email: string): Promise<string> {
  const message = (await mailTo(service, email)).at(-1);
  const text = message === undefined ? '' : openEmail(message, service.rootSecret, message.createdAt).text;
  return new RegExp(`${service.appUrl}(/invitations/[\\w-]+)`).exec(text)?.[1] ?? '';
}

/** Invites an address through the page; answers the path of the link. */
export async function inviteTo(
  service: TestService,
  group: TestGroup,
  cookie: string,
  email: string,
  role: Role = 'member',
): Promise<string> {
  // Emails of one moment have no order.
  service.clock.advance(1);
  const answer = await invite(service, group, cookie, email, role);
  if (answer.statusCode !== 303) throw new Error(`the invitation answered ${answer.statusCode}`);
  return linkTo(service, email);
}

/** Answers an invitation as its page does. */
export async function answerInvitation(
  service: TestService,
  link: string,
  answer: 'accept' | 'decline',
  { kind, id }: GroupRef,
  cookie: string,
): Promise<LightMyRequestResponse> {
  return postOwnForm(service, `${link}/${answer}`, { kind, group: String(id) }, cookie);
}

/** An open invitation, added without the page; by default it can be sent again. */
export async function addInvitation(
  service: TestService,
  { id: groupId }: GroupRef,
  inviter: TestUser,
  role: Role = 'member',
  ageSeconds = 2 * 3600,
): Promise<{ readonly id: string; readonly email: string; readonly link: string }> {
  const invitation = { id: randomUUID(), email: newAddress(), role };
  await putInvitation(
    service.database.db,
    { ...invitation, groupId, inviterId: inviter.id },
    new Date(service.clock.now().getTime() - ageSeconds * 1000),
  );
  return { ...invitation, link: `/invitations/${invitationTokenOf(invitation.id, service.rootSecret)}` };
}

/** The rows of a group's invitations, those that have run out among them. */
export async function invitationsOf({ database }: TestService, { id }: GroupRef) {
  return database.db
    .select()
    .from(invitations)
    .where(eq(invitations.groupId, id))
    .orderBy(invitations.createdAt);
}

/** A form's path, and what is filled in. */
export type Form = readonly [path: string, fields: Readonly<Record<string, string>>];

/** Readies a form, so that only its sending is part of a race. */
export async function readyForm(
  on: TestService,
  [path, fields]: Form,
  cookie: string,
): Promise<() => Promise<LightMyRequestResponse>> {
  const token = await formTokenOf(on, cookie);
  return () => postForm(on, path, { form_token: token, ...fields }, cookie);
}

/** Several answers' statuses come in order. */
export const statusesOf = (answers: readonly LightMyRequestResponse[]): number[] =>
  answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other);
