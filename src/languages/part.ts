import type { Part } from '../platform/parts.ts';
import { visitorLanguages } from './languages.ts';
import { languagePlugin } from './routes.ts';

/**
 * What people read in their own language: signing in, consent, booking, their account, and the
 * emails of these.
 * Without it, all pages and emails are English.
 */
export const languagesPart = {
  open: () => ({ capabilities: { languages: visitorLanguages } }),
  routes: {
    pages: [languagePlugin],
  },
} as const satisfies Part;
