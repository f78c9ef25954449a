import { imageSize } from 'image-size';
import { ok, type Result, refuse } from '../../result.ts';
import { checkLogo, type LogoMediaType, type Picture } from '../core/logo.ts';
import {
  type Extent,
  jpegSignature,
  measureJpeg,
  measurePng,
  measureWebp,
  pngSignature,
} from './container.ts';

/** A picture that may be a logo, without anything that stood behind its end in the file. */
export interface Logo {
  readonly mediaType: LogoMediaType;
  readonly content: Uint8Array;
}

export type LogoFault = 'not_a_picture' | 'damaged' | 'animated' | 'too_few_pixels' | 'too_many_pixels';

interface Format {
  readonly mediaType: LogoMediaType;
  readonly measure: (file: Buffer) => Extent | undefined;
}

/**
 * Reads a file that is to become a logo. Its name and the type that the browser claims count for nothing, only what it holds: our host serves
 * it, so that it must be a picture and nothing else.
 */
export function readLogo(file: Buffer): Result<Logo, LogoFault> {
  const format = formatOf(file);
  if (format === undefined) return refuse('not_a_picture');
  const extent = format.measure(file);
  if (extent === undefined) return refuse('damaged');
  const content = file.subarray(0, extent.end);
  const size = sizeOf(content);
  // Both readings must agree, or a decoder may see another size than the one that is checked.
  const { width, height } = extent.frame ?? size;
  const isCertain = width === size.width && height === size.height;
  if (!isCertain || Math.min(width, height) < 1) return refuse('damaged');
  const picture: Picture = { mediaType: format.mediaType, width, height, isAnimated: extent.isAnimated };
  const checked = checkLogo(picture);
  return checked.ok ? ok({ mediaType: format.mediaType, content }) : checked;
}

function formatOf(file: Buffer): Format | undefined {
  const startsWith = (bytes: Buffer): boolean => file.subarray(0, bytes.length).equals(bytes);
  if (startsWith(pngSignature)) return { mediaType: 'image/png', measure: measurePng };
  if (startsWith(jpegSignature)) return { mediaType: 'image/jpeg', measure: measureJpeg };
  const isWebp = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? { mediaType: 'image/webp', measure: measureWebp } : undefined;
}

/** In pixels; 0 × 0 when the picture does not say. */
function sizeOf(content: Buffer): { readonly width: number; readonly height: number } {
  try {
    return imageSize(content);
  } catch {
    return { width: 0, height: 0 };
  }
}
