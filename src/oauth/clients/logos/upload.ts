import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { logoMaxBytes } from './logo.ts';

/** Empty if no file was chosen. */
export interface Upload {
  readonly content: Buffer;
  /** There is more than `content`. */
  readonly isTooLarge: boolean;
}

/** A file that is too large is read to its end, so that the browser sees the answer. */
export async function registerUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: logoMaxBytes, files: 1, fields: 4, parts: 5, fieldSize: 1024, headerPairs: 10 },
  });
}

/** Puts the fields of a multipart form into the body; a file becomes an {@link Upload}. */
export async function readUpload(request: FastifyRequest): Promise<void> {
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

async function readFile(part: MultipartFile): Promise<Upload> {
  const content = await part.toBuffer();
  return { content, isTooLarge: part.file.truncated };
}

/** The multipart parser's own errors have no status, and would count as ours. */
class UnreadableForm extends Error {
  readonly statusCode = 400;
}

export function uploadIn(body: unknown, field: string): Upload | undefined {
  const uploads = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}));
  const value: unknown = uploads.get(field);
  return isUpload(value) && value.content.length > 0 ? value : undefined;
}

function isUpload(value: unknown): value is Upload {
  return typeof value === 'object' && value !== null && 'content' in value && Buffer.isBuffer(value.content);
}
