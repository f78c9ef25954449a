import type { Part } from '../part.ts';
import { auditSentences } from './audit-sentences.ts';

/** What operations of the API share, and the one that says whom a token acts for. */
export const v2 = {
  differences: {
    updateMe: {
      refused: {
        metadata: ['No metadata is stored with users.'],
        email: ['An app can’t change it: its emails can reset the password.'],
      },
      ignored: {
        avatarUrl: 'pages show no pictures',
        bio: 'pages don’t show it',
        locale: 'emails and pages are in English',
      },
    },
  },
  auditSentences,
} as const satisfies Part;
