import type { FastifyReply } from 'fastify';
import { sendPage } from '../../web/pages.ts';
import { hostOfRedirectUri } from '../core/redirect-uri.ts';
import { answerApp, type Destination, type FormPost } from '../http/app-answer.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/form-post': {
      readonly title: string;
      readonly redirectUri: string;
      readonly destinationHost: string;
      readonly fields: FormPost['fields'];
    };
  }
}

/** Sends the browser to the app, in the mode that it asked for (contract §3). */
export async function sendAnswer(
  reply: FastifyReply,
  destination: Destination,
  answer: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const sent = answerApp(destination, answer);
  // protects: C16
  return 'location' in sent ? reply.redirect(sent.location, 303) : sendForm(reply, sent);
}

/** OAuth 2.0 Form Post Response Mode, section 2. Without a script, the person sends the form. */
async function sendForm(reply: FastifyReply, { action, fields, targets }: FormPost): Promise<FastifyReply> {
  const { request } = reply;
  // The request was answered: another language or account would ask for another answer.
  request.languageChoice = undefined;
  request.onTheWay = undefined;
  // With the policy of other pages, the app would be told an Origin of null.
  reply.header('referrer-policy', 'strict-origin');
  const shown = { redirectUri: action, destinationHost: hostOfRedirectUri(action), fields };
  const title = request.words.t('Back to the app');
  return sendPage(reply, 'oauth/form-post', { title, ...shown }, targets);
}
