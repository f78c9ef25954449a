import type { FastifyRequest } from 'fastify';

declare module '../../platform/parts.ts' {
  interface Part {
    /** The document and its reader have it. */
    readonly api?: ApiOfPart;
  }
}

export interface ApiOfPart {
  /** The document groups operations by these (contract §7). */
  readonly families?: readonly ApiFamily[];
  readonly guide?: readonly GuideChapter[];
  /** Replaces words in samples and examples for the signed-in reader of /docs. */
  readonly guideValues?: (request: FastifyRequest) => Promise<Readonly<Record<string, string>>>;
}

interface Placed {
  /** Readers need lower places first. */
  readonly place: number;
}

/** The document lists the operations of a family together. */
export interface ApiFamily extends Placed {
  readonly name: string;
  readonly words: string;
  readonly version?: string;
}

/** Markdown headings become the guide pages of /docs (contract §7). */
export interface GuideChapter extends Placed {
  text(facts: GuideFacts): string;
}

export interface GuideFacts {
  readonly appUrl: string;
  readonly apiUrl: string;
  readonly families: readonly ApiFamily[];
}

export function inOrder<Thing extends Placed>(things: readonly Thing[]): readonly Thing[] {
  return things.toSorted((one, other) => one.place - other.place);
}
