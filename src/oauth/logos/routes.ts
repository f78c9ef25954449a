import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mostOf } from '../../accounts/attempts/limits.ts';
import { requireFormToken } from '../../accounts/form-token.ts';
import { requireSignIn, sessionOf } from '../../accounts/session.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { type ClientRoute, developerHome as home, withDone } from '../clients/address.ts';
import { valuesToEdit } from '../clients/edits/change.ts';
import { describeDone } from '../clients/overview.ts';
import { ownClientOf } from '../clients/own.ts';
import { mostWaiting, type SubmissionDeps } from '../clients/submission.ts';
import { logoMaxBytes, logoMaxSide, logoMediaTypes, logoMinSide } from '../core/logo.ts';
import { markOf } from '../mark.ts';
import { changeLogo } from './change.ts';
import { type Logo, type LogoFault, readLogo } from './picture.ts';
import { readUpload, registerUploads, uploadIn } from './upload.ts';

const maxKilobytes = logoMaxBytes / 1024;

const faultWords = {
  missing: () => 'Choose a picture.',
  too_large: () => `This file is larger than ${maxKilobytes} KB. Choose a smaller one.`,
  not_a_picture: () => 'This is not a PNG, JPEG or WebP picture. Choose one that is.',
  damaged: () => 'This picture is damaged or not complete. Export it again, or choose another one.',
  animated: () => 'This picture moves. Choose one that stands still.',
  too_few_pixels: (size) =>
    `This picture has ${size} pixels. Choose one with ${logoMinSide} or more on each side.`,
  too_many_pixels: (size) =>
    `This picture has ${size} pixels. Choose one with ${logoMaxSide} at most on each side.`,
} as const satisfies Record<LogoFault | 'missing' | 'too_large', (size: string) => string>;

/** Where nothing is wrong with the picture itself. */
const problems = {
  too_many_waiting: `Nothing was changed, because ${mostWaiting} of your apps and changes wait for their review. Come back when some of them have been decided.`,
  too_many_submissions: `Nothing was changed, because you have submitted ${mostOf('submission')} apps and changes within an hour. Come back later.`,
} as const;

/** Where owners give their clients a logo (contract §2). Register in a scope of its own. */
export async function registerLogoRoutes(app: FastifyInstance, deps: SubmissionDeps): Promise<void> {
  await registerUploads(app);
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', readUpload);
  app.addHook('preHandler', requireFormToken(deps));

  app.get<ClientRoute>(`${home}/:clientId/logo`, async (request, reply) => sendLogoPage(request, reply));

  app.post<ClientRoute>(`${home}/:clientId/logo`, async (request, reply) => {
    const upload = uploadIn(request.body, 'logo');
    if (upload === undefined) return sendLogoPage(request, reply.code(400), { fault: faultWords.missing() });
    if (upload.isTooLarge) return sendLogoPage(request, reply.code(413), { fault: faultWords.too_large() });
    const logo = readLogo(upload.content);
    if (logo.ok) return change(request, reply, logo.value);
    return sendLogoPage(request, reply.code(400), { fault: faultWords[logo.reason](logo.detail ?? '') });
  });

  app.post<ClientRoute>(`${home}/:clientId/logo/remove`, async (request, reply) =>
    change(request, reply, undefined),
  );

  async function change(
    request: FastifyRequest<ClientRoute>,
    reply: FastifyReply,
    logo: Logo | undefined,
  ): Promise<FastifyReply> {
    const { clientId } = request.params;
    const ownerId = sessionOf(request).person.id;
    const outcome = await changeLogo(deps, { id: clientId, ownerId }, logo);
    if (outcome === 'gone') return sendNotFoundPage(request, reply);
    if (outcome === 'too_many_waiting' || outcome === 'too_many_submissions') {
      const status = outcome === 'too_many_submissions' ? 429 : 409;
      return sendLogoPage(request, reply.code(status), { problem: problems[outcome] });
    }
    request.log.info({ clientId, outcome }, 'an owner submitted a logo of a client, or its removal');
    return reply.redirect(withDone(`${home}/${clientId}/logo`, outcome), 303);
  }

  async function sendLogoPage(
    request: FastifyRequest<ClientRoute>,
    reply: FastifyReply,
    wrong: { readonly fault?: string; readonly problem?: string } = {},
  ): Promise<FastifyReply> {
    const client = await ownClientOf(deps.db, request);
    if (client === undefined) return sendNotFoundPage(request, reply);
    const edit = client.status === 'accepted' ? client.edit : undefined;
    return sendPage(request, reply, 'oauth/client-logo', {
      title: `Logo of ${client.name}`,
      client,
      mark: markOf(client.name),
      edit,
      isEdited: edit !== undefined && edit.logoId !== client.logoId,
      mayRemove: valuesToEdit(client).logoId !== null,
      accept: logoMediaTypes.join(','),
      limits: { maxKilobytes, logoMinSide, logoMaxSide },
      done: describeDone(request.query, client),
      ...wrong,
    });
  }
}
