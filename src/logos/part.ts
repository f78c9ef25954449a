import type { Part } from '../platform/parts.ts';
import { logoMaxBytes } from './logo.ts';
import { clientLogoPlugin } from './routes.ts';

/** Owners upload logos of their apps. Without it, apps keep those that they have. */
export const logosPart = {
  routes: {
    pages: [clientLogoPlugin],
  },
  web: {
    links: [{ of: 'app', path: '/logo', words: 'Logo' }],
  },
  limits: { 'an app': [[logoMaxBytes / 1024, 'KB of a logo']] },
} as const satisfies Part;
