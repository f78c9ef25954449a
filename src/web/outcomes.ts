import type { FastifyInstance } from 'fastify';

export interface Outcome {
  readonly words: string;
  readonly isGood: boolean;
}

/**
 * Anyone can write `?done=`, so only known words count. `nothing`: the words when nothing was done.
 */
export function outcomeOf(
  query: unknown,
  words: Readonly<Record<string, string>>,
  nothing: readonly string[] = [],
): Outcome | undefined {
  const done = typeof query === 'object' && query !== null && 'done' in query ? query.done : undefined;
  const said = typeof done === 'string' && Object.hasOwn(words, done) ? words[done] : undefined;
  return said === undefined ? undefined : { words: said, isGood: !nothing.includes(said) };
}

export function tellOutcomes(
  app: FastifyInstance,
  words: Readonly<Record<string, string>>,
  nothing?: readonly string[],
): void {
  app.addHook('preValidation', async (request) => {
    request.outcome = outcomeOf(request.query, words, nothing);
  });
}
