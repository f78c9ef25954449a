import type { AuthorizationRefusalReason } from './refusal.ts';

/** OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1; Form Post Response Mode. */
export const responseModes = ['query', 'fragment', 'form_post'] as const;

export type ResponseMode = (typeof responseModes)[number];

type Asked = Readonly<Record<'responseMode' | 'redirectUri' | 'state', string | undefined>>;

/** Returns the default of `code` for a mode that can't be used, so that the app hears of it. */
export function responseModeOf(asked: Asked): ResponseMode {
  const mode = responseModes.find((one) => one === asked.responseMode) ?? 'query';
  return findResponseModeFault(asked) === undefined ? mode : 'query';
}

/** A form reaches no private-use scheme, and browsers rewrite line breaks in its fields. */
export function findResponseModeFault({
  responseMode: mode = 'query',
  redirectUri = '',
  state = '',
}: Asked): AuthorizationRefusalReason | undefined {
  if (responseModes.every((one) => one !== mode)) return 'response_mode_not_supported'; // protects: C350
  if (mode !== 'form_post') return undefined;
  return /^https?:/.test(redirectUri) && !/[\r\n]/.test(state) ? undefined : 'form_post_not_possible';
}
