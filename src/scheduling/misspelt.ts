import { z } from 'zod';
import { isWithin } from '../platform/spelling.ts';
import { calComDifferences } from './cal-com.ts';

const maxNames = 50;
const maxLength = 50;

/**
 * Names of an input's top level that are almost a field's: ignored, they would lose what was meant.
 * Any other unknown name stays accepted, for clients of Cal.com (contract §8).
 */
export function findMisspeltFields(
  operationId: string,
  schema: unknown,
  input: unknown,
): Readonly<Record<string, string>> {
  if (typeof input !== 'object' || input === null) return {};
  const { refused = {}, ignored = {} } = calComDifferences[operationId] ?? {};
  const known = namesIn(schema);
  const decided = Object.keys({ ...refused, ...ignored }).map((path) => path.replace(/\..*/, ''));
  const passed = new Set([...known, ...decided]);
  const sent = Object.keys(input).map((name) => name.replace(/\[\]$/, ''));
  const missing = known.filter((name) => !sent.includes(name));
  const faults = sent
    .filter((name) => name.length <= maxLength && !passed.has(name))
    .slice(0, maxNames)
    .flatMap((name) => {
      const meant = [0, 1, 2].flatMap((edits) => missing.find((one) => isAlmost(edits, name, one)) ?? []);
      return meant[0] === undefined ? [] : [[name, `Unknown. Did you mean ${meant[0]}?`] as const];
    });
  return Object.fromEntries(faults);
}

/** Short names have innocent neighbors. */
function isAlmost(edits: number, name: string, known: string): boolean {
  const most = known.length > 5 ? 2 : known.length > 3 ? 1 : 0;
  const isNear = Math.abs(name.length - known.length) <= edits && edits <= most;
  return isNear && isWithin(edits, name.toLowerCase(), known.toLowerCase());
}

function namesIn(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return namesIn(schema.unwrap());
  if (schema instanceof z.ZodPipe) return namesIn(schema.in);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
