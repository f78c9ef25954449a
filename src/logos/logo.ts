import { imageSize } from 'image-size';
import type { logoMediaTypes } from '../oauth/tables.ts';
import { ok, type Result, refuse } from '../result.ts';

export type LogoMediaType = (typeof logoMediaTypes)[number];

export const logoMaxBytes = 256 * 1024;
export const logoMinSide = 32;
export const logoMaxSide = 2048;

/** The content ends where the picture does: what follows in the file is left out. */
export interface Logo {
  readonly mediaType: LogoMediaType;
  readonly content: Uint8Array;
}

export type LogoFault = 'not_a_picture' | 'damaged' | 'animated' | 'too_few_pixels' | 'too_many_pixels';

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const pngEnd = Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1');
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
const jpegEnd = Buffer.from([0xff, 0xd9]);
const animationChunks: Partial<Record<LogoMediaType, string>> = { 'image/png': 'acTL', 'image/webp': 'ANIM' };

/** Only the file's bytes and size count, not the claimed name and type. */
export function readLogo(file: Buffer): Result<Logo, LogoFault> {
  const mediaType = mediaTypeOf(file);
  if (mediaType === undefined) return refuse('not_a_picture');
  const content = file.subarray(0, endOf(file, mediaType));
  const { width, height } = sizeOf(content);
  if (Math.min(width, height) < 1) return refuse('damaged');
  const size = `${width} × ${height}`;
  if (Math.min(width, height) < logoMinSide) return refuse('too_few_pixels', size);
  if (Math.max(width, height) > logoMaxSide) return refuse('too_many_pixels', size);
  // An animation would distract from what users are asked (WCAG 2.2.2).
  const animation = animationChunks[mediaType];
  if (animation !== undefined && content.includes(animation)) return refuse('animated');
  return ok({ mediaType, content });
}

function mediaTypeOf(file: Buffer): LogoMediaType | undefined {
  if (file.indexOf(pngStart) === 0) return 'image/png';
  if (file.indexOf(jpegStart) === 0) return 'image/jpeg';
  const isWebp = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : undefined;
}

function endOf(file: Buffer, mediaType: LogoMediaType): number {
  if (mediaType === 'image/webp') {
    const end = 8 + file.readUInt32LE(4);
    return end <= file.length ? end : 0;
  }
  const marker = mediaType === 'image/png' ? pngEnd : jpegEnd;
  const at = file.lastIndexOf(marker);
  return at === -1 ? 0 : at + marker.length;
}

function sizeOf(content: Buffer): { readonly width: number; readonly height: number } {
  try {
    return imageSize(content);
  } catch {
    return { width: 0, height: 0 };
  }
}
