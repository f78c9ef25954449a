import type { Part } from '../platform/parts.ts';
import type { Platform } from '../platform/platform.ts';
import type { Sentence } from '../platform/words.ts';

declare module '../platform/parts.ts' {
  interface Part {
    readonly accounts?: AccountsOfPart;
  }
}

export interface AccountsOfPart {
  readonly publicPages?: PublicPages;
}

/** People, teams and organizations have pages for everyone at these addresses. */
export interface PublicPages {
  teamAddress(
    team: {
      readonly slug: string;
      readonly organization: { readonly slug: string; readonly isPlatform: boolean } | null;
    },
    hosts: Hosts,
  ): string;
  /** Is undefined if all organizations share the general address. */
  organizationAddress(slug: string, hosts: Hosts): string | undefined;
  /** What is on a team's pages, for the team's own page. */
  findOfTeam(app: Pick<Platform, 'config' | 'db'>, teamId: number): Promise<ThingsOfTeam>;
}

export interface ThingsOfTeam {
  readonly heading: Sentence;
  readonly none: Sentence;
  readonly whoCreates: Sentence;
  readonly all: string;
  readonly create: { readonly address: string; readonly words: Sentence };
  readonly shown: readonly { readonly title: string; readonly href: string; readonly settings: string }[];
}

type Hosts = Pick<Platform['config'], 'appUrl' | 'orgHost'>;

/** The last part with public pages says their addresses. */
export const publicPagesOf = (parts: readonly Part[]): PublicPages | undefined =>
  parts.findLast(({ accounts }) => accounts?.publicPages)?.accounts?.publicPages;
