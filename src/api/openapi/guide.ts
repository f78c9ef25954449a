import type { RateLimit } from '../../platform/rate-limits/limit.ts';

interface Placed {
  /** In the order in which a reader needs them. */
  readonly place: number;
}

/** What lists operations of one kind together. */
export interface ApiFamily extends Placed {
  readonly name: string;
  readonly words: string;
  readonly version?: string;
}

/** Programs' guide, in Markdown: its headings are the guide pages of /docs (contract §7). */
export interface GuideChapter extends Placed {
  text(facts: GuideFacts): string;
}

export interface GuideFacts {
  readonly appUrl: string;
  readonly apiUrl: string;
  readonly families: readonly ApiFamily[];
  readonly limits: readonly RateLimit[];
}

export function inOrder<Thing extends Placed>(things: readonly Thing[]): readonly Thing[] {
  return things.toSorted((one, other) => one.place - other.place);
}
