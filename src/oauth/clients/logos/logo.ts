import { ok, type Result, refuse } from '../../../result.ts';

/** Contract §2. */
export const logoMediaTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoMediaType = (typeof logoMediaTypes)[number];

export const logoMaxBytes = 256 * 1024;
/** Pixels. */
export const logoMinSide = 32;
export const logoMaxSide = 2048;

export interface Picture {
  readonly mediaType: LogoMediaType;
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/** An animation would distract from what users are asked (WCAG 2.2.2). */
export function checkLogo({
  width,
  height,
  isAnimated,
}: Picture): Result<void, 'animated' | 'too_few_pixels' | 'too_many_pixels'> {
  const size = `${width} × ${height}`;
  if (Math.min(width, height) < logoMinSide) return refuse('too_few_pixels', size);
  if (Math.max(width, height) > logoMaxSide) return refuse('too_many_pixels', size);
  return isAnimated ? refuse('animated') : ok(undefined);
}
