import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { type Palette, paletteOf, readBrandLogo } from '../platform/brand.ts';
import { assetAddress, contentAddress } from './assets.ts';

/** Addresses of what shows the operator's name, color and logo. */
export interface Brand {
  readonly styles: string | undefined;
  readonly logo: string | undefined;
  readonly icon: string;
  readonly touchIcon: string | undefined;
  /** Chats show a PNG, and ours with our name alone. */
  readonly preview: string | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly brand: Brand;
  }
}

/** A logo runs nothing, even where someone opens its address by itself. */
// protects: C274
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** The file is read at the start, and served from memory. */
export const brandPlugin = fp(
  async (app: FastifyInstance, { headers }: { readonly headers: Record<string, string> }) => {
    const { name, color, logo: path } = app.config.brand;
    const palette = paletteOf(color);
    const config = { limit: { noneBecause: 'it is in memory, and browsers keep it' } } as const;
    const kept = {
      ...headers,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': policy,
    };
    const serve = (file: string, type: string, content: string | Buffer): string => {
      app.get(`/assets/${file}`, { config }, async (_request, reply) =>
        reply.headers(kept).type(type).send(content),
      );
      return contentAddress(file, content);
    };
    const read = path === undefined ? undefined : readBrandLogo(path);
    // The start has refused a wrong one.
    const logo = typeof read === 'string' ? undefined : read;
    const isPng = logo?.mediaType === 'image/png';
    const address = logo && serve(isPng ? 'logo.png' : 'logo.svg', logo.mediaType, logo.content);
    const isOurs = name === 'Latchkey' && logo === undefined;
    app.decorate('brand', {
      styles: palette.isUsual ? undefined : serve('brand.css', 'text/css; charset=utf-8', stylesOf(palette)),
      logo: address,
      icon: address ?? assetAddress('favicon.svg'),
      touchIcon: isOurs ? assetAddress('touch-icon.png') : isPng ? address : undefined,
      preview: isOurs ? assetAddress('preview.png') : isPng ? address : undefined,
    });
  },
  { name: 'brand', dependencies: ['platform'] },
);

function stylesOf({ light, dark }: Palette): string {
  const rule = ({ accent, ink, soft }: Palette['light']): string =>
    `:root{--accent:${accent};--accent-ink:${ink};--accent-soft:${soft}}`;
  return `${rule(light)}\n@media (prefers-color-scheme:dark){${rule(dark)}}\n`;
}
