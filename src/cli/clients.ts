import { decideReview, describeCount, nameStatus, type ReviewDecision } from '../oauth/clients/status.ts';
import { countConnectedUsers } from '../oauth/connected-apps/store.ts';
import { nameScopes } from '../oauth/core/scope.ts';
import { describePermissions } from '../oauth/permissions.ts';
import { noticesOf } from '../oauth/review/detail.ts';
import { listApps, listNamed, listStatuses } from '../oauth/review/queue/store.ts';
import { findReviewedClient, setResource, settleReview } from '../oauth/review/store.ts';
import { acceptedWith, proposalOf, warningsOf } from '../oauth/review/warnings.ts';
import {
  type Call,
  type Command,
  listed,
  maxRows,
  openTools,
  Refused,
  type Tools,
  UsageFault,
} from './call.ts';

export const clientCommands: readonly Command[] = [
  {
    usage: 'clients list [--status STATUS] [--search TEXT] [--json]',
    does: `List apps. A status is one of ${listStatuses.join(', ')}.`,
    async run(call) {
      const status = listStatuses.find((one) => one === (call.text('status') || 'all'));
      if (status === undefined) throw new UsageFault(`A status is one of ${listStatuses.join(', ')}.`);
      await using tools = await openTools(call);
      const listing = { status, search: call.text('search'), span: undefined, limit: maxRows + 1 };
      const rows = (await listApps(tools.db, listing)).map((app) => ({
        id: app.id,
        name: app.name,
        status: app.isSuspended ? 'suspended' : app.status,
        changes: app.edit?.status,
        owner: app.ownerEmail,
        submittedAt: app.submittedAt,
      }));
      return listed(call, rows, 'No clients match.');
    },
  },
  {
    usage: 'clients accept CLIENT_ID [--yes]',
    does: 'Approve an app, or the changes to one. The owner gets an email.',
    run: (call) => decide(call, 'accept', null),
  },
  {
    usage: 'clients suspend CLIENT_ID --reason TEXT [--yes]',
    does: 'Suspend an app and revoke its access. The owner gets an email with the reason.',
    run: (call) => decide(call, 'suspend', call.text('reason')),
  },
  {
    usage: 'clients resource-server CLIENT_ID [--resource ADDRESS] [--yes]',
    does: 'Let an app introspect the access tokens of a resource in RESOURCES; without --resource, of none.',
    async run(call) {
      await using tools = await openTools(call);
      const { db, config, by } = tools;
      const client = await clientOf(tools, call.word);
      if (client.type === 'public') throw new Refused('A public app has no secret to introspect with.');
      const resource = call.text('resource') || null;
      if (resource !== null && !config.resources.some(({ address }) => address === resource))
        throw new Refused('RESOURCES has no such address.');
      const about = resource === null ? 'no access tokens' : `the access tokens for ${resource}`;
      await call.confirm(
        `${client.name}, of ${client.ownerEmail}\nLet it introspect ${about} of other apps?`,
      );
      if (!(await setResource(db, client.id, resource, by)))
        throw new Refused(`Nothing to change: ${client.name} can introspect ${about} of other apps.`);
      return `${client.name} can introspect ${about} of other apps.`;
    },
  },
];

export async function clientOf({ db }: Tools, id: string) {
  const client = await findReviewedClient(db, id);
  if (client === undefined) throw new Refused('There is no app with this client ID.');
  return client;
}

async function decide(call: Call, decision: ReviewDecision, reason: string | null): Promise<string> {
  await using tools = await openTools(call);
  const { db, config, permissions, by } = tools;
  const client = await clientOf(tools, call.word);
  const decided = decideReview({ ...client, editStatus: client.edit?.status }, decision, client.revision);
  if (!decided.ok) {
    const advice = client.status === 'rejected' ? ' Its owner has to resubmit it first.' : '';
    throw new Refused(`Nothing to ${decision}. Status: ${nameStatus(client)}.${advice}`);
  }
  const proposal = proposalOf(client, client.edit);
  const { name, redirectUris, postLogoutRedirectUris, scopes } = proposal;
  const named = nameScopes(scopes, permissions.known);
  const warnings = warningsOf(proposal, await listNamed(db, [name]), config.brand.name);
  const people = describeCount(await countConnectedUsers(tools, client.id));
  const facts =
    decision === 'accept'
      ? [
          ...redirectUris,
          ...postLogoutRedirectUris.map((uri) => `After sign-out: ${uri}`),
          ...describePermissions(permissions, named),
          ...warnings.map(({ text }) => `Needs attention: ${text}`),
          'Approve it?',
        ]
      : [`Connected users: ${people}`, 'Suspend it, and revoke all access to users?'];
  await call.confirm([`${name}, of ${client.ownerEmail ?? client.id}`, ...facts].join('\n'));
  const notices = noticesOf(tools, client, decided.value, reason);
  const { status, revision } = client;
  const acceptedScopes = acceptedWith(client, named);
  const review = { outcome: decided.value, reason, reviewerId: null, revision, status, acceptedScopes };
  if (!(await settleReview(db, client.id, review, notices, by)))
    throw new Refused('The app has changed meanwhile. Nothing was done; look at it again.');
  return decision === 'accept' ? `${name} is approved.` : `${name} is suspended.`;
}
