import { z } from 'zod';
import { lineOf } from '../../web/forms.ts';
import { slugOf } from '../members/request.ts';

/** Host names that stand for something else, or that would be taken for it. */
const reservedSlugs = [
  'account',
  'accounts',
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'autoconfig',
  'autodiscover',
  'billing',
  'blog',
  'cdn',
  'demo',
  'dev',
  'docs',
  'ftp',
  'help',
  'imap',
  'login',
  'mail',
  'mta-sts',
  'mx',
  'ns',
  'ns1',
  'ns2',
  'pop',
  'root',
  'security',
  'signin',
  'signup',
  'smtp',
  'staging',
  'static',
  'status',
  'support',
  'team',
  'test',
  'webmail',
  'wpad',
  'www',
];

/** What admins may change. */
export const organizationNameForm = z.object({ name: lineOf(80) });

/**
 * What owners may change: the slug is a DNS label, too, so 63 characters at most (RFC 1035 §2.3.4).
 */
export const organizationForm = organizationNameForm.extend({ slug: slugOf(63, reservedSlugs) });

/** A new organization; its kind stays as it is. */
export const newOrganizationForm = organizationForm.extend({
  kind: z.enum(['regular', 'platform'], { error: 'Choose one.' }),
});
