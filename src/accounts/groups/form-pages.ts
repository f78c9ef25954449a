import type { FastifyReply, FastifyRequest } from 'fastify';
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
  team: [{ address: homes.team, words: 'Teams' }],
  organization: [{ address: homes.organization, words: 'Organization' }],
} as const;

function crumbsOf(group: { readonly kind: GroupKind; readonly id: number; readonly name: string }) {
  const own = { address: groupPage(group), words: group.name };
  return group.kind === 'team' ? [...homeCrumbs.team, own] : [own];
}

const kinds = [
  {
    value: 'regular',
    title: 'Regular',
    words: 'for people who work together.',
    pages: ' Their public pages are at the organization’s address.',
  },
  {
    value: 'platform',
    title: 'Platform',
    words: 'for products built on our API.',
    pages: ' Public pages stay at their general addresses.',
  },
];

export async function sendNewGroup(reply: FastifyReply, kind: GroupKind, form = untouched) {
  return sendPage(reply, 'accounts/group-form', await describeNewGroup(reply.request, kind, form));
}

async function describeNewGroup(request: FastifyRequest, kind: GroupKind, form: FormFaults) {
  const own = kind === 'team' && (await findOwnOrganization(request.server.db, sessionOf(request).person.id));
  const { typed } = form;
  const { kind: chosen = 'regular' } = typed;
  return {
    title: `New ${kind}`,
    crumbs: homeCrumbs[kind],
    name: undefined,
    action: `${homes[kind]}/new`,
    slug: describeSlug(request, kind),
    organization:
      own && isManagingRole(own.role) ? { name: own.name, isChosen: 'in_organization' in typed } : undefined,
    kinds:
      kind === 'team'
        ? []
        : kinds.map(({ pages, words, ...one }) => ({
            ...one,
            words: hasPages(request) ? words + pages : words,
            isChosen: one.value === chosen,
          })),
    submitWords: `Create ${kind}`,
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
  const warning = ' If you change it, links to the old address lead to the new one for 90 days.';
  return {
    title: `Edit ${name}`,
    crumbs: crumbsOf(own),
    name,
    action: `${pathOf(own)}/edit`,
    slug: maySetSlug(kind, role) ? describeSlug(request, kind, warning) : undefined,
    organization: undefined,
    kinds: [],
    submitWords: `Save ${kind}`,
    ...(form ?? { typed: { name, slug }, faults: {} }),
  };
}

const hasPages = ({ server }: FastifyRequest): boolean => publicPagesOf(server.parts) !== undefined;

/** A new team needs no address; it's made of the name. */
function describeSlug({ server: { config, parts } }: FastifyRequest, kind: GroupKind, warning = '') {
  const letters = 'Lowercase letters and digits, with single dashes in between.';
  const max = maxSlugLength[kind];
  const pages = publicPagesOf(parts);
  const isOptional = kind === 'team' && warning === '';
  const ofName = isOptional ? 'If you leave it empty, we make it from the name. ' : '';
  const end = isOptional ? ' (optional)' : '';
  const same = { max, isOptional, prefix: undefined };
  if (pages === undefined) return { ...same, label: `Name for apps${end}`, hint: `${ofName}${letters}` };
  if (kind === 'team') {
    const prefix = `${new URL(config.appUrl).host}/team/`;
    return { ...same, label: `Team address${end}`, hint: `${ofName}${letters}${warning}`, prefix };
  }
  const example = pages.organizationAddress('acme', config);
  const meaning = example === undefined ? '' : ` The first part of the host: acme for ${example}.`;
  return { ...same, label: 'Address', hint: `${letters}${meaning}${warning}` };
}

const deletionWords = {
  team: 'This deletes the team, its address and its open invitations, and apps lose access to it. Members keep their accounts.',
  organization:
    'This deletes the organization, its address, its open invitations and the users whom apps manage in it. Members keep their accounts, and its teams remain.',
} as const;

export async function sendDeletion(reply: FastifyReply, { group, actorId }: Act, form = untouched) {
  const own = orNotFound(await findOwnGroup(reply.request.server.db, group, actorId));
  if (own.role !== 'owner') return sendRefusal(reply, 'not_allowed', group);
  return sendPage(reply, 'accounts/group-delete', describeDeletion(own, form));
}

function describeDeletion(own: OwnGroup, form: FormFaults) {
  const { kind, name } = own;
  return {
    title: `Delete ${name}`,
    crumbs: crumbsOf(own),
    text: `${deletionWords[kind]} You can’t undo this.`,
    action: `${pathOf(own)}/delete`,
    back: groupPage(own),
    kind,
    name,
    ...form,
  };
}
