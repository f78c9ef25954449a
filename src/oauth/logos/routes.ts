import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireFormToken } from '../../accounts/form-token.ts';
import { requireSignIn, type SessionDeps, sessionOf } from '../../accounts/session.ts';
import { listAdminEmails } from '../../accounts/store.ts';
import { randomHex } from '../../io/system.ts';
import { writeLetter } from '../../outbox/letter.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { logoMaxBytes, logoMaxSide, logoMediaTypes, logoMinSide } from '../core/logo.ts';
import { logoLetter } from './letters.ts';
import { type Logo, type LogoFault, readLogo } from './picture.ts';
import { changeLogo, findOwnClientAndEdit } from './store.ts';
import { readUpload, registerUploads, uploadIn } from './upload.ts';

export interface LogoPageDeps extends SessionDeps {
  readonly nudgeOutbox: () => void;
}

interface ClientRoute {
  Params: { clientId: string };
}

const home = '/settings/developer/oauth';
const logoIdBytes = 16;
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

/** Where owners give their clients a logo (contract §2). Register in a scope of its own. */
export async function registerLogoRoutes(app: FastifyInstance, deps: LogoPageDeps): Promise<void> {
  await registerUploads(app);
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', readUpload);
  app.addHook('preHandler', requireFormToken(deps));

  app.get<ClientRoute>(`${home}/:clientId/logo`, async (request, reply) => sendLogoPage(request, reply));

  app.post<ClientRoute>(`${home}/:clientId/logo`, async (request, reply) => {
    const upload = uploadIn(request.body, 'logo');
    if (upload === undefined) return sendLogoPage(request, reply.code(400), faultWords.missing());
    if (upload.isTooLarge) return sendLogoPage(request, reply.code(413), faultWords.too_large());
    const logo = readLogo(upload.content);
    if (logo.ok) return change(request, reply, logo.value);
    return sendLogoPage(request, reply.code(400), faultWords[logo.reason](logo.detail ?? ''));
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
    const found = await findOwnClientAndEdit(deps.db, clientId, ownerId);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const letter = logoLetter(found.client, deps.appUrl);
    const notices = (await listAdminEmails(deps.db)).map((email) => writeLetter(letter, email, deps));
    const newLogo = logo === undefined ? undefined : { ...logo, id: randomHex(deps.system, logoIdBytes) };
    const isDone = await changeLogo(deps.db, clientId, ownerId, newLogo, notices, deps.system.now());
    if (!isDone) return sendNotFoundPage(request, reply);
    request.log.info({ clientId, logoId: newLogo?.id ?? null }, 'a client changed its logo');
    deps.nudgeOutbox();
    return reply.redirect(`${home}/${clientId}/logo`, 303);
  }

  async function sendLogoPage(
    request: FastifyRequest<ClientRoute>,
    reply: FastifyReply,
    fault?: string,
  ): Promise<FastifyReply> {
    const { clientId } = request.params;
    const found = await findOwnClientAndEdit(deps.db, clientId, sessionOf(request).person.id);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const { client } = found;
    // An edit counts only beside an accepted client: see decideLogoChange.
    const edit = client.status === 'accepted' ? found.edit : null;
    const isEdited = edit !== null && edit.logoId !== client.logoId;
    return sendPage(request, reply, 'oauth/client-logo', {
      title: `Logo of ${client.name}`,
      client,
      edit,
      isEdited,
      mayRemove: (edit ?? client).logoId !== null,
      accept: logoMediaTypes.join(','),
      limits: { maxKilobytes, logoMinSide, logoMaxSide },
      fault,
    });
  }
}
