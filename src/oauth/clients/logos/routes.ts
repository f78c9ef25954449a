import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  auditContextOf,
  requireFormToken,
  requireSignIn,
  sessionOf,
} from '../../../accounts/sessions/session.ts';
import { lockUser } from '../../../accounts/store.ts';
import type { AuditContext } from '../../../platform/audit/context.ts';
import { explainOutage } from '../../../platform/database.ts';
import { randomHex } from '../../../platform/runtime.ts';
import { scopedPlugin } from '../../../platform/scoped-plugin.ts';
import { orNotFound, pageHeaders, pagesPlugin, sendNotFoundPage, sendPage } from '../../../web/pages.ts';
import { initialOf } from '../../app-identity.ts';
import { ofClient, clientParams as params } from '../../client-id.ts';
import { logoMediaTypes } from '../../tables.ts';
import { decideLogo, type LogoChange, valuesToEdit } from '../edits/change.ts';
import { lockOwnClient } from '../edits/store.ts';
import {
  type ClientRequest,
  clientPage,
  developerHome as home,
  ownClientOf,
  type ShownClient,
  tellClientOutcomes,
  withClientOutcome,
} from '../own-client.ts';
import type { TooMany } from '../store.ts';
import { carryOut, isTooMany, type SubmissionCapabilities, statusOf, tooManyWords } from '../submission.ts';
import {
  type Logo,
  type LogoFault,
  type LogoMediaType,
  logoMaxBytes,
  logoMaxSide,
  logoMinSide,
  readLogo,
} from './logo.ts';
import { deleteUnused, findLogo, storeLogo } from './store.ts';

declare module '../../../web/pages.ts' {
  interface Views {
    'oauth/client-logo': ReturnType<typeof describeLogo> & Wrong;
  }
}

interface Wrong {
  readonly fault?: string;
  readonly problem?: string;
}

const maxKilobytes = logoMaxBytes / 1024;
const logoIdBytes = 16;

const faultWords = {
  missing: () => 'Choose an image.',
  too_large: () => `This file is larger than ${maxKilobytes} KB. Choose a smaller one.`,
  not_a_picture: () => 'This isn’t a PNG, JPEG or WebP image. Choose one that is.',
  damaged: () => 'This image is damaged or incomplete. Export it again, or choose another one.',
  animated: () => 'This image is animated. Choose a still one.',
  too_few_pixels: (size) =>
    `This image has ${size} pixels. Choose one with at least ${logoMinSide} on each side.`,
  too_many_pixels: (size) =>
    `This image has ${size} pixels. Choose one with at most ${logoMaxSide} on each side.`,
} as const satisfies Record<LogoFault | 'missing' | 'too_large', (size: string) => string>;

export const clientLogoPlugin = pagesPlugin('client-logo', async (app) => {
  // A file that is too large is read to its end, so that the browser sees the answer.
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: logoMaxBytes, files: 1, fields: 4, parts: 5, fieldSize: 1024, headerPairs: 10 },
  });
  tellClientOutcomes(app);
  app.addHook('preValidation', requireSignIn(home));
  app.addHook('preValidation', readUpload);
  app.addHook('preValidation', requireFormToken);

  app.get(`${home}/:clientId/logo`, ofClient, async (request, reply) => sendLogoPage(request, reply));

  app.post(`${home}/:clientId/logo`, { schema: { params, body: uploadForm } }, async (request, reply) => {
    const { logo: upload } = request.body;
    if (upload === undefined) return sendLogoPage(request, reply.code(400), { fault: faultWords.missing() });
    if (upload.isTooLarge) return sendLogoPage(request, reply.code(413), { fault: faultWords.too_large() });
    const logo = readLogo(upload.content);
    if (logo.ok) return change(request, reply, logo.value);
    return sendLogoPage(request, reply.code(400), { fault: faultWords[logo.reason](logo.detail ?? '') });
  });

  app.get(`${home}/:clientId/logo/remove`, ofClient, async (request, reply) => {
    const client = orNotFound(await ownClientOf(app.db, request));
    const review = client.status === 'accepted' ? ', once the removal is approved' : '';
    return sendPage(reply, 'deletion', {
      title: `Remove the logo of ${client.name}?`,
      text: `Users see the first letter of its name instead${review}.`,
      button: 'Remove logo',
      back: { address: `${clientPage(client.id)}/logo`, words: 'Logo' },
    });
  });

  app.post(`${home}/:clientId/logo/remove`, ofClient, async (request, reply) =>
    change(request, reply, undefined),
  );

  async function change(request: ClientRequest, reply: FastifyReply, logo: Logo | undefined) {
    const { clientId } = request.params;
    const ownerId = sessionOf(request).person.id;
    const outcome = await changeLogo(app, { id: clientId, ownerId }, logo, auditContextOf(request));
    if (outcome === 'gone') return sendNotFoundPage(reply);
    if (isTooMany(outcome))
      return sendLogoPage(request, reply.code(statusOf(outcome)), { problem: tooManyWords[outcome] });
    return reply.redirect(withClientOutcome(`${clientPage(clientId)}/logo`, outcome), 303);
  }

  async function sendLogoPage(request: ClientRequest, reply: FastifyReply, wrong: Wrong = {}) {
    const client = orNotFound(await ownClientOf(app.db, request));
    return sendPage(reply, 'oauth/client-logo', { ...describeLogo(client), ...wrong });
  }
});

function describeLogo(client: ShownClient) {
  const isLive = client.status === 'accepted';
  const edit = isLive ? client.edit : undefined;
  const isRejected = edit?.status === 'rejected';
  const isEdited = edit !== undefined && edit.logoId !== client.logoId;
  return {
    title: `Logo of ${client.name}`,
    client,
    initial: initialOf(client.name),
    newLogo: isEdited ? { logoId: edit.logoId, isRejected } : undefined,
    keptWith: client.status === 'rejected' ? 'app' : isRejected && !isEdited ? 'edit' : undefined,
    mayRemove: valuesToEdit(client).logoId !== null,
    accept: logoMediaTypes.join(','),
    hint: `PNG, JPEG or WebP, up to ${maxKilobytes} KB, ${logoMinSide} to ${logoMaxSide} pixels on each side. Square images look best.${isLive ? ' A new logo is reviewed before users see it.' : ''}`,
  };
}

/** Edits the logo on top of an unapproved edit. Returns `gone` for another owner's client. */
async function changeLogo(
  app: SubmissionCapabilities,
  { id, ownerId }: { readonly id: string; readonly ownerId: number },
  logo: Logo | undefined,
  by: AuditContext,
): Promise<LogoChange | 'gone' | TooMany> {
  const { db, runtime } = app;
  const newLogo = logo === undefined ? undefined : { ...logo, id: randomHex(runtime, logoIdBytes) };
  return db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    const current = await lockOwnClient(tx, id, ownerId);
    if (current === undefined) return 'gone';
    const inUse = [current.logoId, current.edit?.logoId ?? null];
    const logoId = newLogo === undefined ? null : await storeLogo(tx, id, newLogo, inUse, by.at);
    const wanted = { ...valuesToEdit(current), logoId };
    const carriedOut = await carryOut(tx, app, current, decideLogo(current, wanted), wanted, by);
    await deleteUnused(tx, id);
    return carriedOut;
  });
}

/**
 * Puts the fields of a multipart form into the body, with only the beginning of a file that is too
 * large.
 */
async function readUpload(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart()) return;
  const fields = new Map<string, unknown>();
  try {
    for await (const part of request.parts()) {
      if (fields.has(part.fieldname)) throw new UnreadableForm('a field is repeated');
      fields.set(part.fieldname, part.type === 'file' ? await readFile(part) : part.value);
    }
  } catch (error) {
    throw new UnreadableForm('a form with a file cannot be read', { cause: error });
  }
  request.body = Object.fromEntries(fields);
}

async function readFile(part: MultipartFile) {
  const content = await part.toBuffer();
  return { content, isTooLarge: part.file.truncated };
}

/** The multipart parser's own errors have no status, and would count as ours. */
class UnreadableForm extends Error {
  readonly statusCode = 400;
}

const content = z.instanceof(Buffer).refine(({ length }) => length > 0);
const upload = z.object({ content, isTooLarge: z.boolean() });
const uploadForm = z.object({ logo: upload.optional().catch(undefined) });

const extensions = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
} as const satisfies Record<LogoMediaType, string>;

/**
 * A logo never changes, and other sites may embed it. The policy allows the image and nothing else.
 */
const logoHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The route is outside the scope of the pages, so that no session is looked up. */
export const logosPlugin = scopedPlugin('logos', [], async (app) => {
  app.setValidatorCompiler(validatorCompiler);
  const headers = pageHeaders();
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const outage = explainOutage(error);
    const status = outage === undefined ? (error.statusCode ?? 500) : 503;
    if (status >= 500) request.log.error({ err: error }, outage ?? 'a logo could not be read');
    if (status === 503) reply.header('retry-after', '5');
    return reply.code(status).type('text/plain').send('This image can’t be shown.\n');
  });

  const schema = { params: z.object({ logoId: z.string() }) };
  app.get('/logos/:logoId', { schema }, async (request, reply) => {
    const { logoId } = request.params;
    const logo = /^[0-9a-f]{32}$/.test(logoId) ? await findLogo(app.db, logoId) : undefined;
    if (logo === undefined) return reply.code(404).type('text/plain').send('Image not found.\n');
    return reply
      .headers(logoHeaders)
      .header('content-disposition', `inline; filename="logo.${extensions[logo.mediaType]}"`)
      .type(logo.mediaType)
      .send(Buffer.from(logo.content));
  });
});
