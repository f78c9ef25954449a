import { type Config, isPublic } from './config.ts';
import { chooseParts } from './parts.ts';

/** What a start and `doctor` warn of. Settings of a part that is off would be obeyed by nobody, without a word. */
export function configWarnings(config: Config): readonly string[] {
  const { appUrl, apiUrl, emailVerification, ofParts } = config;
  const chosen = chooseParts(config.parts).map(({ name }) => name);
  return [
    ...(emailVerification === 'off'
      ? ['EMAIL_VERIFICATION is off: people can use email addresses that are not theirs']
      : []),
    ...(appUrl.startsWith('http:') && isPublic(appUrl)
      ? ['APP_URL is http: passwords, codes and tokens can be read on their way; use https']
      : []),
    ...(apiUrl !== appUrl && apiUrl.startsWith('http:') && isPublic(apiUrl)
      ? ['API_URL is http: tokens can be read on their way; use https']
      : []),
    ...ofParts
      .filter(({ part }) => !chosen.includes(part))
      .map(({ setting, part }) => `${setting} has no effect: PARTS leaves out ${part}`),
  ];
}
