import type { Part } from '../part.ts';
import { docsPlugin } from './docs/routes.ts';

export const api = {
  pages: [docsPlugin],
  navigation: [{ place: 60, address: '/docs', words: 'Docs' }],
  usualAddresses: { '/docs/': '/docs' },
} as const satisfies Part;
