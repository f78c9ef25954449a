import { ConfigFault } from './config.ts';
import type { Part, PartData } from './platform/parts.ts';

interface PartLine {
  readonly name: string;
  readonly isDoor?: true;
  readonly needs?: readonly string[];
  load(): Promise<Part>;
}

/** A part imports only door parts above it, so the rest runs without an optional one (ADR 18). */
const lines: readonly PartLine[] = [
  { name: 'platform', isDoor: true, load: async () => (await import('./platform/part.ts')).platformPart },
  { name: 'api', isDoor: true, load: async () => (await import('./api/part.ts')).apiPart },
  { name: 'accounts', isDoor: true, load: async () => (await import('./accounts/part.ts')).accountsPart },
  { name: 'languages', load: async () => (await import('./languages/part.ts')).languagesPart },
  { name: 'passkeys', load: async () => (await import('./passkeys/part.ts')).passkeysPart },
  { name: 'oauth', isDoor: true, load: async () => (await import('./oauth/part.ts')).oauthPart },
  { name: 'logos', load: async () => (await import('./logos/part.ts')).logosPart },
  { name: 'personal-tokens', load: async () => (await import('./personal-tokens/part.ts')).tokensPart },
  { name: 'client-documents', load: async () => (await import('./client-documents/part.ts')).documentsPart },
  { name: 'v2', isDoor: true, load: async () => (await import('./v2/part.ts')).v2Part },
  { name: 'openid', load: async () => (await import('./openid/part.ts')).openidPart },
  { name: 'webhooks', load: async () => (await import('./webhooks/part.ts')).webhooksPart },
  { name: 'scheduling', load: async () => (await import('./scheduling/part.ts')).schedulingPart },
  { name: 'managed-users', load: async () => (await import('./managed-users/part.ts')).managedUsersPart },
  { name: 'mcp', needs: ['scheduling'], load: async () => (await import('./mcp/part.ts')).mcpPart },
];

interface DataLine {
  readonly name: string;
  data(): Promise<PartData>;
}

/** Data is loaded also where its part is off: what ends, ends all the same (ADR 18). */
const dataLines: readonly DataLine[] = [
  // The door, which is never off, has its data with the rest.
  { name: 'passkeys', data: async () => (await import('./passkeys/data.ts')).passkeysData },
  { name: 'personal-tokens', data: async () => (await import('./personal-tokens/data.ts')).tokensData },
  { name: 'openid', data: async () => (await import('./openid/data.ts')).openidData },
  { name: 'webhooks', data: async () => (await import('./webhooks/data.ts')).webhooksData },
  { name: 'scheduling', data: async () => (await import('./scheduling/data.ts')).schedulingData },
  { name: 'managed-users', data: async () => (await import('./managed-users/data.ts')).managedUsersData },
];

export const optionalParts = lines.flatMap(({ name, isDoor }) => (isDoor ? [] : [name]));

/**
 * Returns the parts that `PARTS` names, of those that the program has (contract §1). Throws
 * ConfigFault for wrong names.
 */
export function chooseParts(text = 'all'): readonly PartLine[] {
  const words = text.split(',').map((word) => word.trim());
  const known = ['all', 'door', ...optionalParts];
  if (!words.every((word) => known.includes(word.replace(/^-/, ''))))
    throw new ConfigFault([`PARTS must name parts, separated by commas: ${known.join(', ')}`]);
  const without = words.flatMap((word) => (word.startsWith('-') ? [word.slice(1)] : []));
  const isAll = words.includes('all') || without.length === words.length;
  const chosen = lines.filter(
    ({ name, isDoor }) => isDoor || ((isAll || words.includes(name)) && !without.includes(name)),
  );
  const isThere = (needed: string): boolean => chosen.some(({ name }) => name === needed);
  const faults = chosen.flatMap(({ name, needs = [] }) =>
    needs.filter((one) => !isThere(one)).map((one) => `PARTS has ${name}, which needs ${one}`),
  );
  if (faults.length > 0) throw new ConfigFault(faults);
  return chosen;
}

/** Returns all parts of the build in their order; those that are off have their data alone. */
export async function loadParts(text?: string): Promise<readonly Part[]> {
  const chosen = chooseParts(text);
  return Promise.all(
    lines.map(async (line) => {
      const { name, isDoor } = line;
      const data = await dataLines.find((one) => one.name === name)?.data();
      const part = chosen.includes(line) ? await line.load() : ({ isOff: true } as const);
      const named = isDoor ? part : { name, ...part };
      return { ...named, ...(data && { data }) }; // protects: C310
    }),
  );
}
