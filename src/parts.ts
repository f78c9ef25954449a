import type { Part } from './part.ts';

interface PartLine {
  readonly name: string;
  /** Without it there is no door. */
  readonly isDoor?: true;
  /** Optional parts without which it means nothing. */
  readonly needs?: readonly string[];
  load(): Promise<Part>;
}

/**
 * What the service consists of. Each part may import those above it that belong to the door, and no
 * other: without an optional one's line and folder, what is left builds and runs (ADR 18).
 */
const lines: readonly PartLine[] = [
  { name: 'platform', isDoor: true, load: async () => (await import('./platform/part.ts')).platform },
  { name: 'api', isDoor: true, load: async () => (await import('./api/part.ts')).api },
  { name: 'accounts', isDoor: true, load: async () => (await import('./accounts/part.ts')).accounts },
  { name: 'passkeys', load: async () => (await import('./passkeys/part.ts')).passkeys },
  { name: 'oauth', isDoor: true, load: async () => (await import('./oauth/part.ts')).oauth },
  { name: 'client-documents', load: async () => (await import('./client-documents/part.ts')).documents },
  { name: 'v2', isDoor: true, load: async () => (await import('./v2/part.ts')).v2 },
  { name: 'webhooks', load: async () => (await import('./webhooks/part.ts')).webhooks },
  { name: 'scheduling', load: async () => (await import('./scheduling/part.ts')).scheduling },
  { name: 'managed-users', load: async () => (await import('./managed-users/part.ts')).managedUsers },
  { name: 'mcp', needs: ['scheduling'], load: async () => (await import('./mcp/part.ts')).mcp },
];

const namesOf = (some: readonly PartLine[]): readonly string[] => some.map(({ name }) => name);

/** The names of all parts, in their order. */
export const partNames = namesOf(lines);
const optionalNames = namesOf(lines.filter(({ isDoor }) => !isDoor));

/**
 * Reads `PARTS` (contract §1): `all`, `door`, or names of optional parts that stand beside the
 * door; one with a minus sign is left out of all.
 *
 * @returns the chosen parts' names, in their order, and what is wrong, in words
 */
export function chooseParts(text: string): {
  readonly names: readonly string[];
  readonly faults: readonly string[];
} {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.filter((word) => !['all', 'door', ...optionalNames].includes(word.replace(/^-/, '')));
  const without = words.flatMap((word) => (word.startsWith('-') ? [word.slice(1)] : []));
  const isAll = words.includes('all') || without.length === words.length;
  const isChosen = ({ name, isDoor }: PartLine): boolean =>
    isDoor === true || ((isAll || words.includes(name)) && !without.includes(name));
  const chosen = lines.filter(isChosen);
  const names = namesOf(chosen);
  const lacking = chosen.flatMap(({ name, needs = [] }) =>
    needs.filter((one) => !names.includes(one)).map((one) => `needs ${one} for ${name}`),
  );
  const known = `must name parts, separated by commas: all, door, ${optionalNames.join(', ')}; with a minus sign, one is left out`;
  return { names, faults: unknown.length > 0 ? [known] : lacking };
}

/** Loads the parts of these names, all by default; nothing else is read from disk. */
export async function loadParts(names: readonly string[] = partNames): Promise<readonly Part[]> {
  return Promise.all(lines.filter(({ name }) => names.includes(name)).map(({ load }) => load()));
}
