import type { Part } from '../platform/parts.ts';
import { docsPlugin } from './docs/routes.ts';

/**
 * What the API's programs and readers share: errors, the OpenAPI document and its reader at
 * `/docs`.
 */
export const apiPart = {
  routes: {
    pages: [docsPlugin],
  },
  web: {
    navigation: [{ place: 60, address: '/docs', words: 'Docs', icon: 'book-open' }],
    usualAddresses: { '/docs/': '/docs' },
  },
} as const satisfies Part;
