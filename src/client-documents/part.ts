import { createOutbound, type Outbound } from '../platform/outbound.ts';
import type { Part } from '../platform/parts.ts';
import {
  clientDocumentsPlugin,
  createDocumentReader,
  createRefreshes,
  maxAtOnce,
  maxDocumentsWaiting,
  sendUnreviewed,
} from './documents.ts';

declare module '../platform/parts.ts' {
  interface PartOptions {
    /** Reads clients' metadata documents in place of the public internet. */
    readonly documents?: Outbound;
  }
}

/**
 * Apps that describe themselves at an https address that is their client id. Without it such an
 * address is an unknown client.
 */
export const documentsPart = {
  open({ opened, options }) {
    // protects: C98
    const documents = opened.adopt(options.documents ?? createOutbound({}), (it) => it.close());
    const refreshes = opened.adopt(createRefreshes(), (it) => it.finish());
    return {
      capabilities: {
        clientDocuments: { sendUnreviewed, refreshSoon: refreshes.refreshSoon },
        readClientDocument: createDocumentReader(documents),
      },
    };
  },
  routes: {
    pages: [clientDocumentsPlugin],
  },
  limits: {
    'metadata documents': [
      [maxDocumentsWaiting.together, 'in review'],
      [maxDocumentsWaiting.ofDomain, 'of one domain in review'],
      [maxDocumentsWaiting.ofPerson, 'in review that one account asked for'],
      [maxAtOnce, 'read at the same time by each process'],
    ],
  },
} as const satisfies Part;
