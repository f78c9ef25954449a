import { type Change, compareTexts, type DifferencePart, listChanges } from '../core/difference.ts';
import { type TokenRefusalReason, tokenRefusals } from '../core/refusal.ts';
import { type Advice, advice } from './advice.ts';

/** A piece of a sentence; code is shown as such. */
interface Piece {
  readonly isCode: boolean;
  readonly text: string;
}

/** A failed token request as its page shows it. */
export interface ShownFailure {
  readonly requestId: string;
  readonly at: Date;
  /** The answer on the wire, contract §4. */
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly wrong: readonly Piece[];
  readonly toDo: readonly Piece[];
  readonly comparison:
    | (NonNullable<Advice['comparison']> & {
        readonly parts: readonly DifferencePart[];
        readonly changes: readonly Change[];
      })
    | undefined;
}

/** A stored failure for its page; undefined for one that another release wrote in its own way. */
export function describeFailure(row: {
  readonly requestId: string;
  readonly at: Date;
  readonly reason: string;
  readonly explanation: unknown;
}): ShownFailure | undefined {
  const { requestId, at, reason } = row;
  const stored = advice.safeParse(row.explanation);
  if (!stored.success || !isReason(reason)) return undefined;
  const [status, error, description] = tokenRefusals[reason];
  const { wrong, toDo, comparison } = stored.data;
  return {
    requestId,
    at,
    status,
    error,
    description,
    wrong: piecesOf(wrong),
    toDo: piecesOf(toDo),
    comparison: comparison && compare(comparison),
  };
}

function compare(comparison: NonNullable<Advice['comparison']>) {
  const parts = compareTexts(comparison.sent, comparison.expected);
  return { ...comparison, parts, changes: listChanges(parts) };
}

function isReason(text: string): text is TokenRefusalReason {
  return Object.hasOwn(tokenRefusals, text);
}

/** What stands between backticks is code. */
function piecesOf(text: string): readonly Piece[] {
  return text.split('`').map((piece, index) => ({ isCode: index % 2 === 1, text: piece }));
}
