import { ok, type Result, refuse } from '../../result.ts';
import type { ClientEventKind, EditStatus, ReviewStatus } from './client.ts';

/** The kinds of picture that a client's logo may be (contract §2). */
export const logoMediaTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoMediaType = (typeof logoMediaTypes)[number];

export const logoMaxBytes = 256 * 1024;
/** Pixels; fewer cannot be recognized, and many more cost a browser memory for nothing. */
export const logoMinSide = 32;
export const logoMaxSide = 2048;

/** What a file was found to be. */
export interface Picture {
  readonly mediaType: LogoMediaType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/** May the picture be a logo? One that moves would take people's eyes off what they are asked (WCAG 2.2.2). */
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

/** Where an owner's new logo goes, and the line of the client's history that it makes. */
export interface LogoChange {
  readonly place: 'client' | 'edit';
  /** Undefined: nothing is submitted by it. */
  readonly event: Extract<ClientEventKind, 'changed' | 'edit_submitted'> | undefined;
}

/**
 * What becomes of a new logo, or of its removal (contract §2): an accepted client's waits for review while the accepted one stays live. What
 * was rejected takes it in and stays rejected, because its other values are to be corrected before it is submitted again.
 */
export function decideLogoChange(status: ReviewStatus, editStatus: EditStatus | undefined): LogoChange {
  if (status === 'pending') return { place: 'client', event: 'changed' };
  if (status === 'rejected') return { place: 'client', event: undefined };
  return { place: 'edit', event: editStatus === 'rejected' ? undefined : 'edit_submitted' };
}
