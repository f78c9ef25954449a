import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inflate } from '@sparticuz/chromium';

/** Chromium, the libraries it needs and a font, into the folder for temporary files. */
const packed = join(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../bin');
await Promise.all(
  ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => inflate(join(packed, name))),
);
