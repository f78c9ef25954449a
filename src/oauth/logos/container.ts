/**
 * How far a picture reaches in a file, by the structure of its format alone: whether it is there to its end, where that is, and whether it
 * moves. Undefined for a file that is damaged or ends too soon. What stands behind the end is no part of the picture.
 */
export interface Extent {
  readonly end: number;
  readonly isAnimated: boolean;
  /** Of the frame that a decoder reads, where finding it takes walking through the file (JPEG). */
  readonly frame?: { readonly width: number; readonly height: number };
}

/** PNG, W3C Recommendation §5: chunks of length, type, data and CRC, from IHDR to IEND. `acTL` makes it an animation. */
export function measurePng(file: Buffer): Extent | undefined {
  let at = pngSignature.length;
  const seen = new Set<string>();
  while (at + 12 <= file.length) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (seen.size === 0 && type !== 'IHDR') return undefined;
    seen.add(type);
    at += 12 + file.readUInt32BE(at);
    if (type === 'IEND') {
      return seen.has('IDAT') && at <= file.length ? { end: at, isAnimated: seen.has('acTL') } : undefined;
    }
  }
  return undefined;
}

/** JPEG, ITU-T T.81 annex B: marker segments from SOI to EOI, coded data behind each SOS. */
export function measureJpeg(file: Buffer): Extent | undefined {
  let at = jpegSignature.length - 1;
  let frame: Extent['frame'];
  let hasScan = false;
  while (at + 2 <= file.length) {
    if (file[at] !== 0xff) return undefined;
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) {
      return frame !== undefined && hasScan ? { end: at + 2, isAnimated: false, frame } : undefined;
    }
    if (at + 4 > file.length) return undefined;
    const next = at + 2 + file.readUInt16BE(at + 2);
    if (isFrameHeader(marker)) {
      // A second frame header would let two readers see two sizes.
      if (frame !== undefined || at + 9 > file.length) return undefined;
      frame = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    }
    at = next;
    if (marker === startOfScan) {
      hasScan = true;
      at = skipCodedData(file, at);
    }
  }
  return undefined;
}

/** WebP, RFC 9649 §2: a RIFF file of chunks, padded to even lengths. An `ANIM` chunk makes it an animation. */
export function measureWebp(file: Buffer): Extent | undefined {
  if (file.length < 12) return undefined;
  const end = 8 + file.readUInt32LE(4);
  if (end > file.length) return undefined;
  const seen = new Set<string>();
  let at = 12;
  while (at + 8 <= end) {
    seen.add(file.toString('latin1', at, at + 4));
    const size = file.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  const isAnimated = seen.has('ANIM') || seen.has('ANMF');
  const hasPicture = isAnimated || seen.has('VP8 ') || seen.has('VP8L');
  return at === end && hasPicture ? { end, isAnimated } : undefined;
}

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** SOI, and the first byte of the marker that must follow. */
export const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);

const startOfScan = 0xda;
const endOfImage = 0xd9;

/** SOF0 to SOF15; three of the numbers between mean something else. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Where the next marker stands: coded data holds FF only before 00 or a restart marker. */
function skipCodedData(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at !== -1 && at + 1 < file.length) {
    const following = file.readUInt8(at + 1);
    if (following !== 0 && (following < 0xd0 || following > 0xd7)) return at;
    at = file.indexOf(0xff, at + 2);
  }
  return file.length;
}
