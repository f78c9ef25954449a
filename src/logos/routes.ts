import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { auditContextOf, requireFormToken, requireSignIn, sessionOf } from '../accounts/sessions/session.ts';
import { lockUser } from '../accounts/store.ts';
import { initialOf } from '../oauth/app-identity.ts';
import { ofClient, clientParams as params } from '../oauth/client-id.ts';
import { decideLogo, type LogoChange, valuesToEdit } from '../oauth/clients/edits/change.ts';
import { lockOwnClient } from '../oauth/clients/edits/store.ts';
import {
  type ClientRequest,
  clientPage,
  developerHome as home,
  ownClientOf,
  type ShownClient,
  tellClientOutcomes,
  withClientOutcome,
} from '../oauth/clients/own-client.ts';
import type { TooMany } from '../oauth/clients/store.ts';
import {
  carryOut,
  isTooMany,
  type SubmissionCapabilities,
  tooManyWords,
} from '../oauth/clients/submission.ts';
import { logoMediaTypes } from '../oauth/tables.ts';
import type { AuditContext } from '../platform/audit/context.ts';
import { randomHex } from '../platform/runtime.ts';
import { orNotFound, sendNotFoundPage } from '../web/error-pages.ts';
import { pagesPlugin } from '../web/page-scope.ts';
import { type Page, sendPage } from '../web/pages.ts';
import { keepEnglish } from '../web/translated.ts';
import { type Logo, type LogoFault, logoMaxBytes, logoMaxSide, logoMinSide, readLogo } from './logo.ts';
import { deleteUnused, storeLogo } from './store.ts';

declare module '../web/pages.ts' {
  interface Views {
    'logos/client-logo': ReturnType<typeof describeLogo> & Wrong & Pick<Page, 'faults'>;
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
  app.addHook('onRequest', keepEnglish);
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
    if (isTooMany(outcome)) return sendLogoPage(request, reply.code(409), { problem: tooManyWords[outcome] });
    return reply.redirect(withClientOutcome(`${clientPage(clientId)}/logo`, outcome), 303);
  }

  async function sendLogoPage(request: ClientRequest, reply: FastifyReply, wrong: Wrong = {}) {
    const client = orNotFound(await ownClientOf(app.db, request));
    return sendPage(reply, 'logos/client-logo', {
      ...describeLogo(client),
      ...wrong,
      faults: wrong.fault === undefined ? {} : { logo: wrong.fault },
    });
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
    const carriedOut = await carryOut(tx, app, { current, change: decideLogo(current, wanted), wanted }, by);
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
