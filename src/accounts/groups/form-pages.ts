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
    'accounts/group-form': Page &
      (Awaited<ReturnType<typeof describeNewGroup>> | ReturnType<typeof describeEdit>);
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
  return sendPage(reply, 'accounts/group-form', await describeNewGroup(reply.request, kind, form));
}

async function describeNewGroup(request: FastifyRequest, kind: GroupKind, form: FormFaults) {
  const own = kind === 'team' && (await findOwnOrganization(request.server.db, sessionOf(request).person.id));
  const { typed } = form;
  const { words } = request;
  const { t, say } = words;
  const { kind: chosen = 'regular' } = typed;
  return {
    title: t('New {kind, select, team {team} other {organization}}', { kind }),
    crumbs: [homeCrumb(kind, words)],
    name: undefined,
    action: `${homes[kind]}/new`,
    slug: describeSlug(request, kind),
    organization:
      own && isManagingRole(own.role) ? { name: own.name, isChosen: 'in_organization' in typed } : undefined,
    kinds:
      kind === 'team'
        ? []
        : kinds.map(({ value, title, words: about, pages }) => ({
            value,
            title: say(title),
            words: hasPages(request) ? `${say(about)} ${say(pages)}` : say(about),
            isChosen: value === chosen,
          })),
    submitWords: t('Create {kind, select, team {team} other {organization}}', { kind }),
    ...form,
  };
}

export async function sendEdit(reply: FastifyReply, { group, actorId }: Act, form?: FormFaults) {
  const { request } = reply;
  const own = orNotFound(await findOwnGroup(request.server.db, group, actorId));
  if (!isManagingRole(own.role)) return sendRefusal(reply, 'not_allowed', group);
  return sendPage(reply, 'accounts/group-form', describeEdit(request, own, form));
}

function describeEdit(request: FastifyRequest, own: OwnGroup, form: FormFaults | undefined) {
  const { kind, name, slug, role } = own;
  const { words } = request;
  const { t } = words;
  const warning = t('If you change it, links to the old address lead to the new one for 90 days.');
  return {
    title: t('Edit {name}', { name }),
    crumbs: crumbsOf(own, words),
    name,
    action: `${pathOf(own)}/edit`,
    slug: maySetSlug(kind, role) ? describeSlug(request, kind, warning) : undefined,
    organization: undefined,
    kinds: [],
    submitWords: t('Save {kind, select, team {team} other {organization}}', { kind }),
    ...(form ?? { typed: { name, slug }, faults: {} }),
  };
}

const hasPages = ({ server }: FastifyRequest): boolean => publicPagesOf(server.parts) !== undefined;

/** A new team needs no address; it's made of the name. */
function describeSlug(
  { server: { config, parts }, words: { t } }: FastifyRequest,
  kind: GroupKind,
  warning = '',
) {
  const letters = t('Lowercase letters and digits, with single dashes in between.');
  const max = maxSlugLength[kind];
  const pages = publicPagesOf(parts);
  const isOptional = kind === 'team' && warning === '';
  const ofName = isOptional ? t('If you leave it empty, we make it from the name.') : '';
  const hintOf = (...more: readonly string[]): string => [ofName, letters, ...more].filter(Boolean).join(' ');
  const same = { max, isOptional, prefix: undefined };
  if (pages === undefined)
    return {
      ...same,
      label: isOptional ? t('Name for apps (optional)') : t('Name for apps'),
      hint: hintOf(),
    };
  if (kind === 'team') {
    const prefix = `${new URL(config.appUrl).host}/team/`;
    const label = isOptional ? t('Team address (optional)') : t('Team address');
    return { ...same, label, hint: hintOf(warning), prefix };
  }
  const example = pages.organizationAddress('acme', config);
  const meaning =
    example === undefined ? '' : t('The first part of the host: acme for {example}.', { example });
  return { ...same, label: t('Address'), hint: hintOf(meaning, warning) };
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
