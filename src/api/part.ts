import type { Part } from '../part.ts';
import { docsPlugin } from './docs/routes.ts';

/** What the API shares: its errors, its OpenAPI document, and the reference for developers. */
export const api = {
  pages: [docsPlugin],
  navigation: [{ place: 60, address: '/docs', words: 'Docs' }],
  usualAddresses: { '/docs/': '/docs' },
} as const satisfies Part;
