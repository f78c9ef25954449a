import type { Part } from '../part.ts';
import { docsPlugin } from './docs/routes.ts';

export const apiPart = {
  pages: [docsPlugin],
  navigation: [{ place: 60, address: '/docs', words: 'Docs' }],
  usualAddresses: { '/docs/': '/docs' },
} as const satisfies Part;
