import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../pages.ts';
import { type KeptForm, type KeptFormDeps, newKeptId } from './form.ts';

const reasons = {
  signed_in: {
    title: 'You are signed in again',
    text: 'What you typed is kept, and nothing was sent yet.',
    button: 'Send it',
  },
  outdated: {
    title: 'This page is out of date',
    text: 'You have signed in again since it was opened, so nothing was done. What you typed is kept.',
    button: 'Send it',
  },
  sent_before: {
    title: 'You have sent this before',
    text: 'Nothing was done a second time. Look first whether it is done, and send it again only if it is not.',
    button: 'Send it again',
  },
} as const;

/** What the pages are called on which forms are filled in, as in the navigation of the settings. */
const pageNames = [
  ['/settings/profile', 'Profile'],
  ['/settings/password', 'Password'],
  ['/settings/sessions', 'Sessions'],
  ['/settings/apps', 'Connected apps'],
  ['/settings/teams', 'Teams'],
  ['/settings/organization', 'Organization'],
  ['/settings/developer/oauth', 'Your apps'],
  ['/settings/admin/oauth', 'Review'],
  ['/settings/admin/outbox', 'Outbox'],
] as const;

export interface KeptFormReader {
  readonly formToken: string;
  readonly email: string;
}

/** Shows a kept form with what would be sent, for the signed-in person to send it, or not. */
export async function sendKeptForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, path, from, fields, lacksSecrets }: KeptForm,
  { formToken, email, why }: KeptFormReader & { readonly why: keyof typeof reasons },
  { system }: Pick<KeptFormDeps, 'system'>,
): Promise<FastifyReply> {
  const shownFields = [...Map.groupBy(fields, ([name]) => name)].map(([name, pairs]) => ({
    label: labelOf(name),
    values: pairs.map(([, value]) => value),
  }));
  return sendPage(request, reply, 'accounts/kept-form', {
    ...reasons[why],
    pageName: pageNameOf(path),
    ...{ action: path, address: path.replace(/\?.*$/s, ''), from, lacksSecrets, fields, shownFields },
    // Whoever has read that it was sent before, and sends it again, means it.
    id: why === 'sent_before' ? newKeptId(system) : id,
    ...{ formToken, email },
  });
}

/** Undefined for what is no change of a page, but the end of something: there the address says more. */
function pageNameOf(path: string): string | undefined {
  if (/\/(?:delete|remove)$/.test(path)) return undefined;
  return pageNames.find(([page]) => `${path}/`.startsWith(`${page}/`))?.[1];
}

/** `redirect_uris` as people read it. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
