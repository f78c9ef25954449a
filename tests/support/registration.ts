import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { readId } from '../../src/accounts/browsers.ts';
import { formTokenOf as formTokenOfSession } from '../../src/accounts/sessions/kept-form.ts';
import { sessions } from '../../src/accounts/tables.ts';
import { clientEdits, clientEvents, clientSecrets, clients } from '../../src/oauth/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { scopeNames } from './scopes.ts';
import type { TestService } from './service.ts';
import { addUser, hiddenFieldsOf, postForm, startSession, type TestUser } from './world.ts';

export const developerHome = '/settings/developer/oauth';
export const reviewHome = '/settings/admin/oauth';

/** What a developer types to register a client, the smallest right form. */
export const registration: Readonly<Record<string, string>> = {
  name: 'Tidy Desk',
  purpose: 'It keeps desks tidy.',
  client_type: 'confidential',
  redirect_uris: 'https://desk.example/callback',
  access: 'full',
};

/** Who ticks boxes says so. */
const accessOf = (changes: Readonly<Record<string, string>>): { readonly access: string } => ({
  access: 'scopes' in changes ? 'chosen' : 'full',
});

/** The token that every form of a session carries, as its pages write it. */
export async function formTokenOf({ app, database }: TestService, cookie: string): Promise<string> {
  const idHash = readId(/latchkey_session=([^;]*)/.exec(cookie)?.[1])?.idHash ?? '';
  const [found] = await database.db.select().from(sessions).where(eq(sessions.idHash, idHash));
  return found === undefined ? '' : formTokenOfSession(app.secrets, idHash, found.userId);
}

/** Sends a form of a signed-in person. */
export async function postOwnForm(
  service: TestService,
  path: string,
  fields: Readonly<Record<string, string>>,
  cookie: string,
): Promise<LightMyRequestResponse> {
  return postForm(service, path, { form_token: await formTokenOf(service, cookie), ...fields }, cookie);
}

/** What a form that creates something carries; nobody has sent this one yet. */
export function newRegistrationKey(): string {
  return randomBytes(16).toString('hex');
}

/** Registers a client through the form; answers whatever comes. */
export async function register(
  service: TestService,
  cookie: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  const fields = {
    registration_key: newRegistrationKey(),
    ...registration,
    ...accessOf(changes),
    ...changes,
  };
  return postOwnForm(service, `${developerHome}/new`, fields, cookie);
}

/** A client that waits for its review, and its owner. */
export async function submitClient(
  service: TestService,
  changes: Readonly<Record<string, string>> = {},
): Promise<{ readonly id: string; readonly owner: TestUser; readonly cookie: string }> {
  const owner = await addUser(service);
  const cookie = await startSession(service, owner);
  return { owner, cookie, id: registeredId(await register(service, cookie, changes)) };
}

/** The hidden fields of the form that changes a client; `version` is what was open when the form was opened. */
export async function openEdit({ app }: TestService, id: string, cookie: string) {
  const page = await app.inject({ url: `${developerHome}/${id}/edit`, headers: { cookie } });
  const { form_token = '', version = '' } = hiddenFieldsOf(page.body);
  return { form_token, version };
}

/** Changes a client through its form; answers whatever comes. */
export async function submitEdit(
  service: TestService,
  id: string,
  cookie: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  const { client_type: _fixed, ...fields } = registration;
  const form = await openEdit(service, id, cookie);
  return postForm(
    service,
    `${developerHome}/${id}/edit`,
    { ...form, ...fields, ...accessOf(changes), ...changes },
    cookie,
  );
}

/** What an admin's forms do, who looks at the client as it is now unless said otherwise. */
export const reviewDecisions = {
  accept: async (service: TestService, id: string, cookie: string, _reason?: string, revision?: number) =>
    decide(service, `${id}/accept`, cookie, {
      revision: await revisionOf(service, id, revision),
      scopes: await namedScopesOf(service, id),
    }),
  reject: async (service: TestService, id: string, cookie: string, reason = 'Not yet', revision?: number) =>
    decide(service, `${id}/reject`, cookie, { reason, revision: await revisionOf(service, id, revision) }),
  suspend: async (service: TestService, id: string, cookie: string, reason = 'Harmful', revision?: number) =>
    decide(service, `${id}/suspend`, cookie, { reason, revision: await revisionOf(service, id, revision) }),
} as const;

async function decide(
  service: TestService,
  path: string,
  cookie: string,
  fields: Readonly<Record<string, string>>,
): Promise<LightMyRequestResponse> {
  return postOwnForm(service, `${reviewHome}/${path}`, fields, cookie);
}

/** What the page of a service of all parts names. */
async function namedScopesOf(service: TestService, id: string): Promise<string> {
  const proposal = (await findEditRow(service, id)) ?? (await findClientRow(service, id));
  return (proposal?.scopes ?? scopeNames).join(' ');
}

async function revisionOf(service: TestService, id: string, seen: number | undefined): Promise<string> {
  return String(seen ?? (await findClientRow(service, id))?.revision ?? 1);
}

/** The id of the client that an answer to the form leads to. */
export function registeredId({ headers }: LightMyRequestResponse): string {
  return new RegExp(`^${developerHome}/([0-9a-f]{32})$`).exec(String(headers.location))?.[1] ?? '';
}

export async function findClientRow({ database }: TestService, id: string) {
  const [row] = await database.db.select().from(clients).where(eq(clients.id, id));
  return row;
}

/** An accepted client's edit; undefined when there is none. */
export async function findEditRow({ database }: TestService, clientId: string) {
  const [row] = await database.db.select().from(clientEdits).where(eq(clientEdits.clientId, clientId));
  return row;
}

/** A client's history, oldest first. */
export async function eventsOf({ database }: TestService, clientId: string) {
  const ofClient = eq(clientEvents.clientId, clientId);
  return database.db.select().from(clientEvents).where(ofClient).orderBy(clientEvents.id);
}

export async function clientsOf({ database }: TestService, ownerId: number) {
  return database.db.select().from(clients).where(eq(clients.ownerId, ownerId));
}

export async function secretsOf({ database }: TestService, clientId: string) {
  return database.db.select().from(clientSecrets).where(eq(clientSecrets.clientId, clientId));
}

/** The messages to an address, oldest first: by their words where the clock stands still between them. */
export async function mailTo({ database }: TestService, recipient: string) {
  return database.db
    .select()
    .from(outbox)
    .where(eq(outbox.recipient, recipient))
    .orderBy(outbox.createdAt, outbox.subject, outbox.text);
}
