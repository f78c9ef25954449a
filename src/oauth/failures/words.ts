import type { Explanation } from '../core/explanation.ts';
import type { Advice, OfKind, Words } from './advice.ts';
import { clientWords } from './client-words.ts';
import { codeWords } from './code-words.ts';
import { refreshWords } from './refresh-words.ts';
import { requestWords } from './request-words.ts';

const words: Words = { ...requestWords, ...clientWords, ...codeWords, ...refreshWords };

/** What was wrong and what to do, for the one who wrote the client. */
export function adviseOn(explanation: Explanation): Advice {
  return say(explanation.kind, explanation);
}

function say<Kind extends Explanation['kind']>(kind: Kind, explanation: OfKind<Kind>): Advice {
  return words[kind](explanation);
}
