import type { FastifyReply } from 'fastify';
import { sendPage } from '../../web/pages.ts';
import { addToRedirectUri, hostOfRedirectUri, type RegisteredRedirectUri } from '../core/redirect-uri.ts';
import type { Destination, HiddenField } from './request.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/form-post': {
      readonly title: string;
      readonly redirectUri: string;
      readonly destinationHost: string;
      readonly fields: readonly HiddenField[];
    };
  }
}

/** Sends the browser to the app, in the mode that it asked for (contract §3). */
export async function sendAnswer(
  reply: FastifyReply,
  { redirectUri, mode, state, issuer }: Destination,
  answer: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  // protects: C15
  const parameters = { ...answer, state, iss: issuer }; // protects: C34
  if (mode === 'form_post') return sendForm(reply, redirectUri, parameters);
  // protects: C16
  return reply.redirect(addToRedirectUri(redirectUri, parameters, mode === 'fragment'), 303);
}

/** OAuth 2.0 Form Post Response Mode, section 2. Without a script, the person sends the form. */
async function sendForm(
  reply: FastifyReply,
  redirectUri: RegisteredRedirectUri,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<FastifyReply> {
  const { request } = reply;
  // The request was answered: another language or account would ask for another answer.
  request.languageChoice = undefined;
  request.onTheWay = undefined;
  // With the policy of other pages, the app would be told an Origin of null.
  reply.header('referrer-policy', 'strict-origin');
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const shown = { redirectUri, destinationHost: hostOfRedirectUri(redirectUri), fields };
  const title = request.words.t('Back to the app');
  return sendPage(reply, 'oauth/form-post', { title, ...shown }, formTargetsOf(redirectUri));
}

/** The client may redirect to https. CSP can't name `[::1]`, so `http:` stands for it. */
export function formTargetsOf(redirectUri: RegisteredRedirectUri): readonly string[] {
  const { protocol, hostname, host } = new URL(redirectUri);
  if (protocol === 'https:') return ['https:'];
  if (protocol !== 'http:') return [protocol, 'https:'];
  return hostname === '[::1]' ? ['http:', 'https:'] : [`http://${host}`, `http://${hostname}:*`, 'https:'];
}
