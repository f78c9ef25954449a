import { describe, expect, test } from 'vitest';
import { faultOf } from '../support/page-content.ts';
import { logosOf, makeJpeg, makePng, makePngOfBytes, makeWebp, uploadLogo } from '../support/pictures.ts';
import { findClientRow, submitClient } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();
const { id, cookie } = await submitClient(service);

/** What the logo's address gives: its bytes and their type. */
async function servedLogo() {
  const row = await findClientRow(service, id);
  const answer = await service.app.inject(`/logos/${row?.logoId ?? 'none'}`);
  return { type: answer.headers['content-type'], bytes: answer.rawPayload };
}

describe('a picture that may be a logo (contract §2)', () => {
  test.each([
    ['a PNG', makePng(64, 64), 'image/png'],
    ['a JPEG', makeJpeg(64, 64), 'image/jpeg'],
    ['a WebP', makeWebp(64, 64), 'image/webp'],
    ['the smallest PNG', makePng(32, 32), 'image/png'],
    ['the largest JPEG', makeJpeg(2048, 2048), 'image/jpeg'],
    ['a wide WebP', makeWebp(2048, 32), 'image/webp'],
    ['a PNG of 256 KB', makePngOfBytes(256 * 1024), 'image/png'],
  ])('%s is taken, and served as it is', async (_name, file, type) => {
    const answer = await uploadLogo(service, id, cookie, file);

    expect(answer.statusCode).toBe(303);
    const served = await servedLogo();
    expect(served.type).toBe(type);
    expect(served.bytes.equals(file)).toBe(true);
  });

  test.each([
    ['text/html', 'logo.html'],
    ['image/svg+xml', 'logo.svg'],
    ['application/octet-stream', 'logo'],
    ['image/webp', '../../logo.webp'],
  ])('counts by its content, whatever the browser says: %s, %s', async (claimedType, fileName) => {
    const file = makePng(64, 64, { shade: fileName.length % 200 });

    const answer = await uploadLogo(service, id, cookie, file, { claimedType, fileName });

    expect(answer.statusCode).toBe(303);
    expect(await servedLogo()).toEqual({ type: 'image/png', bytes: file });
  });

  test.each([
    ['a PNG', makePng(64, 64)],
    ['a JPEG', makeJpeg(64, 64)],
    ['a WebP', makeWebp(64, 64)],
  ])('%s loses what stands behind its end', async (_name, file) => {
    const script = Buffer.from('<script>alert(1)</script>');

    const answer = await uploadLogo(service, id, cookie, Buffer.concat([file, script]));

    expect(answer.statusCode).toBe(303);
    expect((await servedLogo()).bytes.equals(file)).toBe(true);
  });
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>';
const withoutEnd = (file: Buffer, bytes: number): Buffer => file.subarray(0, file.length - bytes);
const riffAlone = Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1');
const words = {
  none: 'Choose an image.',
  kind: 'This isn’t a PNG, JPEG or WebP image. Choose one that is.',
  damaged: 'This image is damaged or incomplete. Export it again, or choose another one.',
  moves: 'This image is animated. Choose a still one.',
  few: (size: string) => `This image has ${size} pixels. Choose one with at least 32 on each side.`,
  many: (size: string) => `This image has ${size} pixels. Choose one with at most 2048 on each side.`,
};

describe('a file that may not (contract §2)', () => {
  test.each([
    ['nothing', Buffer.alloc(0), words.none],
    ['an SVG', Buffer.from(svg), words.kind],
    ['a GIF', Buffer.from('GIF89a@\0@\0\0\0\0;', 'latin1'), words.kind],
    ['a page with a picture behind it', Buffer.concat([Buffer.from('<!--'), makePng(64, 64)]), words.kind],
    ['a RIFF file of another kind', Buffer.from('RIFF\x04\0\0\0WAVE', 'latin1'), words.kind],
    ['a PNG without its last byte', withoutEnd(makePng(64, 64), 1), words.damaged],
    ['a PNG without its end', withoutEnd(makePng(64, 64), 12), words.damaged],
    ['a JPEG without its last byte', withoutEnd(makeJpeg(64, 64), 1), words.damaged],
    ['a JPEG without its end', withoutEnd(makeJpeg(64, 64), 2), words.damaged],
    ['a WebP without its last byte', withoutEnd(makeWebp(64, 64), 1), words.damaged],
    ['an empty WebP', riffAlone, words.damaged],
    ['a PNG that moves', makePng(64, 64, { isAnimated: true }), words.moves],
    ['a WebP that moves', makeWebp(64, 64, { isAnimated: true }), words.moves],
    ['a PNG of one pixel', makePng(1, 1), words.few('1 × 1')],
    ['a JPEG that is too narrow', makeJpeg(31, 64), words.few('31 × 64')],
    ['a PNG that would fill the memory', makePng(60_000, 60_000), words.many('60000 × 60000')],
    ['a JPEG that is too wide', makeJpeg(2049, 64), words.many('2049 × 64')],
    ['a WebP that is too high', makeWebp(64, 2049), words.many('64 × 2049')],
    ['a PNG without pixels', makePng(0, 64), words.damaged],
    ['a JPEG without lines', makeJpeg(64, 0), words.damaged],
  ])('%s is refused with a sentence, and changes nothing', async (_name, file, sentence) => {
    const before = { row: await findClientRow(service, id), logos: await logosOf(service, id) };

    const answer = await uploadLogo(service, id, cookie, file);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'logo')).toBe(sentence);
    expect(await findClientRow(service, id)).toEqual(before.row);
    expect(await logosOf(service, id)).toEqual(before.logos);
  });

  test.each([
    ['one byte more than 256 KB', 256 * 1024 + 1],
    ['5 MB', 5 * 1024 * 1024],
  ])('of %s is refused with 413 and a sentence, and changes nothing', async (_name, bytes) => {
    const before = await logosOf(service, id);

    const answer = await uploadLogo(service, id, cookie, makePngOfBytes(bytes));

    expect(answer.statusCode).toBe(413);
    expect(faultOf(answer, 'logo')).toBe('This file is larger than 256 KB. Choose a smaller one.');
    expect(await logosOf(service, id)).toEqual(before);
  });
});
