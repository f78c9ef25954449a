import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sentence, Words } from '../../platform/words.ts';
import { orNotFound } from '../../web/error-pages.ts';
import { type FormFaults, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { type GroupKind, isManagingRole } from '../person.ts';
import { publicPagesOf } from '../public-pages.ts';
import { sessionOf } from '../sessions/session.ts';
import { groupPage, homes, pathOf } from './address.ts';
import type { Act } from './changes.ts';
import { sendRefusal } from './pages.ts';
import { maxSlugLength } from './request.ts';
import { maySetSlug } from './rules.ts';
import { findOwnGroup, findOwnOrganization, type OwnGroup } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/group-form': Page & Awaited<ReturnType<typeof describeForm>>;
    'accounts/group-delete': Page & ReturnType<typeof describeDeletion>;
  }
}

const homeCrumbs = {
  team: 'Teams',
  organization: 'Organization',
} as const satisfies Record<GroupKind, Sentence>;

const homeCrumb = (kind: GroupKind, { say }: Words) => ({
  address: homes[kind],
  words: say(homeCrumbs[kind]),
});

function crumbsOf(group: Pick<OwnGroup, 'id' | 'kind' | 'name'>, words: Words) {
  const own = { address: groupPage(group), words: group.name };
  return group.kind === 'team' ? [homeCrumb('team', words), own] : [own];
}

const kinds = [
  {
    value: 'regular',
    title: 'Regular',
    words: 'for people who work together.',
    pages: 'Their public pages are at the organization’s address.',
  },
  {
    value: 'platform',
    title: 'Platform',
    words: 'for products built on our API.',
    pages: 'Public pages stay at their general addresses.',
  },
] as const satisfies readonly Readonly<Record<'title' | 'words' | 'pages', Sentence> & { value: string }>[];

export async function sendNewGroup(reply: FastifyReply, kind: GroupKind, form = untouched) {
  return sendPage(reply, 'accounts/group-form', await describeForm(reply.request, kind, undefined, form));
}

export async function sendEdit(reply: FastifyReply, { group, actorId }: Act, form?: FormFaults) {
  const { request } = reply;
  const own = orNotFound(await findOwnGroup(request.server.db, group, actorId));
  const { kind, name, slug } = own;
  if (!isManagingRole(own.role)) return sendRefusal(reply, 'not_allowed', group);
  const shown = form ?? { typed: { name, slug }, faults: {} };
  return sendPage(reply, 'accounts/group-form', await describeForm(request, kind, own, shown));
}

async function describeForm(
  request: FastifyRequest,
  kind: GroupKind,
  own: OwnGroup | undefined,
  form: FormFaults,
) {
  const { server, words } = request;
  const { t, say } = words;
  const isNew = own === undefined;
  const parent =
    isNew && kind === 'team' ? await findOwnOrganization(server.db, sessionOf(request).person.id) : undefined;
  const { kind: chosen = 'regular' } = form.typed;
  const hasPages = publicPagesOf(server.parts) !== undefined;
  return {
    title: isNew
      ? t('New {kind, select, team {team} other {organization}}', { kind })
      : t('Edit {name}', { name: own.name }),
    crumbs: isNew ? [homeCrumb(kind, words)] : crumbsOf(own, words),
    action: isNew ? `${homes[kind]}/new` : `${pathOf(own)}/edit`,
    slug: isNew || maySetSlug(kind, own.role) ? describeSlug(request, kind, isNew) : undefined,
    organization:
      parent && isManagingRole(parent.role)
        ? { name: parent.name, isChosen: 'in_organization' in form.typed }
        : undefined,
    kinds: (isNew && kind === 'organization' ? kinds : []).map(({ value, title, words: about, pages }) => ({
      value,
      title: say(title),
      words: hasPages ? `${say(about)} ${say(pages)}` : say(about),
      isChosen: value === chosen,
    })),
    submitWords: isNew
      ? t('Create {kind, select, team {team} other {organization}}', { kind })
      : t('Save {kind, select, team {team} other {organization}}', { kind }),
    ...form,
  };
}

/** A new team needs no address; it's made of the name. */
function describeSlug(
  { server: { config, parts }, words: { t } }: FastifyRequest,
  kind: GroupKind,
  isNew: boolean,
) {
  const pages = publicPagesOf(parts);
  const isOptional = kind === 'team' && isNew;
  const ofName = isOptional ? t('If you leave it empty, we make it from the name.') : '';
  const letters = t('Lowercase letters and digits, with single dashes in between.');
  const example = kind === 'team' ? undefined : pages?.organizationAddress('acme', config);
  const meaning =
    example === undefined ? '' : t('The first part of the host: acme for {example}.', { example });
  const warning =
    isNew || pages === undefined
      ? ''
      : t('If you change it, links to the old address lead to the new one for 90 days.');
  return {
    max: maxSlugLength[kind],
    isOptional,
    prefix: pages && kind === 'team' ? `${new URL(config.appUrl).host}/team/` : undefined,
    label: describeLabel(pages !== undefined, kind, isOptional, t),
    hint: [ofName, letters, meaning, warning].filter(Boolean).join(' '),
  };
}

/** Without public pages, only apps see it. */
function describeLabel(hasPages: boolean, kind: GroupKind, isOptional: boolean, t: Words['t']): string {
  if (!hasPages) return isOptional ? t('Name for apps (optional)') : t('Name for apps');
  if (kind === 'organization') return t('Address');
  return isOptional ? t('Team address (optional)') : t('Team address');
}

const deletionWords = {
  team: 'This deletes the team, its address and its open invitations, and apps lose access to it. Members keep their accounts.',
  organization:
    'This deletes the organization, its address, its open invitations and the users whom apps manage in it. Members keep their accounts, and its teams remain.',
} as const satisfies Record<GroupKind, Sentence>;

export async function sendDeletion(reply: FastifyReply, { group, actorId }: Act, form = untouched) {
  const own = orNotFound(await findOwnGroup(reply.request.server.db, group, actorId));
  if (own.role !== 'owner') return sendRefusal(reply, 'not_allowed', group);
  return sendPage(reply, 'accounts/group-delete', describeDeletion(own, form, reply.request.words));
}

function describeDeletion(own: OwnGroup, form: FormFaults, words: Words) {
  const { kind, name } = own;
  return {
    title: words.t('Delete {name}', { name }),
    crumbs: crumbsOf(own, words),
    text: `${words.say(deletionWords[kind])} ${words.t('You can’t undo this.')}`,
    action: `${pathOf(own)}/delete`,
    back: groupPage(own),
    kind,
    name,
    ...form,
  };
}
