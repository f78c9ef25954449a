import { readFileSync, statSync } from 'node:fs';
import type { Config } from '../config.ts';

/** Texts are legible from here on (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

const maxLogoBytes = 256 * 1024;
const usualColor = '#3d4ed8';
const usualDark = { accent: '#a3b0ff', ink: '#10163d', soft: '#222944' } as const;
const darkSurface = '#16191f';

type Rgb = readonly [red: number, green: number, blue: number];

const rgbOf = (color: string): Rgb => {
  const channel = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
};

/** Mixes `share` of one color, from 0 to 1, with another. */
function mix(color: string, other: string, share: number): string {
  const [from, to] = [rgbOf(color), rgbOf(other)];
  const mixed = from.map((value, at) => Math.round(value * share + (to[at] ?? 0) * (1 - share)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A color stands on no darker light ground than its own tint. */
const tintOf = (color: string): string => mix(color, '#ffffff', 0.08);

/** Derives the colors of pages and emails, light and dark, from one that is legible on white. */
export function paletteOf(color = usualColor) {
  const light = { accent: color, ink: '#ffffff', soft: tintOf(color) };
  if (color === usualColor) return { isUsual: true, light, dark: usualDark };
  const soft = mix(color, darkSurface, 0.22);
  let accent = color;
  for (let share = 1; contrastOf(accent, soft) < 6; share -= 0.05) accent = mix(color, '#ffffff', share);
  return { isUsual: false, light, dark: { accent, ink: '#0e1014', soft } };
}

export type Palette = ReturnType<typeof paletteOf>;

export interface BrandLogo {
  readonly mediaType: 'image/png' | 'image/svg+xml';
  readonly content: Buffer;
}

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** An image element runs none of these, but someone may open its address by itself. */
const activeSvg = /<(?:script|foreignObject|iframe|!ENTITY|!DOCTYPE)|\son\w+\s*=|javascript:|@import/i;
const outsideSvg = /(?:href|src)\s*=\s*["']?\s*(?!["'#\s])|url\(\s*["']?\s*(?!["'#\s])/i;

/** Returns what is wrong with the file, in words that follow the setting's name. */
export function readBrandLogo(path: string): BrandLogo | string {
  try {
    if (statSync(path).size > maxLogoBytes) return `names a file of more than ${maxLogoBytes / 1024} KB`;
    const content = readFileSync(path);
    if (content.subarray(0, pngStart.length).equals(pngStart)) return { mediaType: 'image/png', content };
    const text = content.toString('utf8');
    if (!/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<svg[\s>]/s.test(text))
      return 'must name a PNG or SVG image';
    // protects: C274
    if (activeSvg.test(text) || outsideSvg.test(text))
      return 'names an SVG with scripts, or with links to elsewhere; export it as a plain one';
    return { mediaType: 'image/svg+xml', content };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return `names a file that can't be read${code}`;
  }
}

/** Says before anything opens why nobody could read the color, or why the logo isn't shown. */
export function brandFaults({ color, logo: path }: Config['brand']): readonly string[] {
  const contrast = Math.floor(contrastOf(color ?? usualColor, tintOf(color ?? usualColor)) * 100) / 100;
  const logo = path === undefined ? undefined : readBrandLogo(path);
  return [
    ...(contrast < minContrast
      ? [
          `BRAND_COLOR can't be read on light pages: its contrast is ${contrast}, and ${minContrast} is needed (WCAG 1.4.3); choose a darker one`,
        ]
      : []),
    ...(typeof logo === 'string' ? [`BRAND_LOGO ${logo}`] : []),
  ];
}
