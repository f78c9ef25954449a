import { crc32, deflateSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { logos } from '../../src/oauth/tables.ts';
import { formTokenOf } from './registration.ts';
import type { TestService } from './service.ts';

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

export interface PngOptions {
  /** A shade of grey, so that two pictures differ. */
  readonly shade?: number;
  /** Bytes of a comment, to make the file large. */
  readonly ballast?: number;
  readonly isAnimated?: boolean;
}

/** A whole PNG of one shade. */
export function makePng(
  width: number,
  height: number,
  { shade = 128, ballast = 0, isAnimated = false }: PngOptions = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of grey a pixel.
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc(Math.min(width + 1, 4096) * Math.min(height, 4096), shade);
  for (let row = 0; row < rows.length; row += width + 1) rows[row] = 0;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...(isAnimated ? [pngChunk('acTL', Buffer.alloc(8))] : []),
    ...(ballast > 0 ? [pngChunk('tEXt', Buffer.alloc(ballast - 12, 'a'))] : []),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG of exactly so many bytes. */
export function makePngOfBytes(bytes: number): Buffer {
  return makePng(64, 64, { ballast: bytes - makePng(64, 64).length });
}

function jpegSegment(marker: number, data: readonly number[]): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...data]);
}

/** The markers of a JPEG around coded data that nobody decodes. */
export function makeJpeg(width: number, height: number): Buffer {
  const frame = [8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    jpegSegment(0xc0, frame),
    jpegSegment(0xda, [1, 1, 0, 0, 63, 0]),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** The chunks of a lossless WebP around coded data that nobody decodes. */
export function makeWebp(width: number, height: number, { isAnimated = false } = {}): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE((width - 1) | ((height - 1) << 14));
  const picture = webpChunk('VP8L', Buffer.concat([Buffer.from([0x2f]), size, Buffer.alloc(6)]));
  const chunks = isAnimated
    ? [webpChunk('VP8X', extendedHeader(width, height)), webpChunk('ANIM', Buffer.alloc(6)), picture]
    : [picture];
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), length, body]);
}

function webpChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

function extendedHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(10);
  header.writeUInt8(0x02, 0);
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  return header;
}

export interface UploadOptions {
  readonly fileName?: string;
  readonly claimedType?: string;
  /** Instead of the session's own token. */
  readonly formToken?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a picture to a client's logo page as a browser does. */
export async function uploadLogo(
  service: TestService,
  clientId: string,
  cookie: string,
  file: Buffer,
  options: UploadOptions = {},
): Promise<LightMyRequestResponse> {
  const { fileName = 'logo.png', claimedType = 'image/png' } = options;
  const form = new FormData();
  form.set('form_token', options.formToken ?? (await formTokenOf(service, cookie)));
  form.set('logo', new Blob([new Uint8Array(file)], { type: claimedType }), fileName);
  const encoded = new Response(form);
  return service.app.inject({
    method: 'POST',
    url: logoPath(clientId),
    headers: {
      'content-type': encoded.headers.get('content-type') ?? '',
      'sec-fetch-site': 'same-origin',
      cookie,
      ...options.headers,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
}

export const logoPath = (clientId: string): string => `/settings/developer/oauth/${clientId}/logo`;

/** The stored logos of a client. */
export async function logosOf({ database }: TestService, clientId: string) {
  return database.db.select().from(logos).where(eq(logos.clientId, clientId));
}
