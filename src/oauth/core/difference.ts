/** A piece of two texts laid one over the other: in both, only in the one that was sent, or only in the expected one. */
export interface DifferencePart {
  readonly kind: 'same' | 'sent' | 'expected';
  readonly text: string;
}

/** One place where two texts differ, for reading aloud; either side may be empty. */
export interface Change {
  /** Where it begins in the text that was sent, counted from 1. */
  readonly position: number;
  readonly sent: string;
  readonly expected: string;
}

/** Above this many cells the middle of two texts is not compared letter by letter: it is told as replaced. */
const mostCells = 250_000;
/** Fewer equal letters than this between two differences are chance, and make a comparison harder to read. */
const shortestIsland = 3;

/**
 * Two texts laid one over the other, character by character (longest common subsequence). What stands between a common beginning and a
 * common end is compared; equal letters by chance in the midst of differences count as different.
 */
export function compareTexts(sent: string, expected: string): readonly DifferencePart[] {
  const [left, right] = [[...sent], [...expected]];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const middle = align(left.slice(start, left.length - end), right.slice(start, right.length - end));
  return join([
    { kind: 'same', text: left.slice(0, start).join('') },
    ...withoutIslands(middle),
    { kind: 'same', text: left.slice(left.length - end).join('') },
  ]);
}

/** The places where two texts differ, in order. */
export function listChanges(parts: readonly DifferencePart[]): readonly Change[] {
  const changes: Change[] = [];
  let position = 1;
  for (const [index, { kind, text }] of parts.entries()) {
    const isFollowUp = kind === 'expected' && parts[index - 1]?.kind === 'sent';
    if (kind !== 'same' && !isFollowUp) {
      const next = parts[index + 1];
      const expected = kind === 'expected' ? text : next?.kind === 'expected' ? next.text : '';
      changes.push({ position, sent: kind === 'sent' ? text : '', expected });
    }
    if (kind !== 'expected') position += [...text].length;
  }
  return changes;
}

function align(sent: readonly string[], expected: readonly string[]): readonly DifferencePart[] {
  if (sent.length * expected.length > mostCells) return replaced(sent.join(''), expected.join(''));
  const lengths = commonLengths(sent, expected);
  const parts: DifferencePart[] = [];
  let [row, column] = [0, 0];
  while (row < sent.length || column < expected.length) {
    const [mine = '', other = ''] = [sent[row], expected[column]];
    const below = lengths[row + 1]?.[column] ?? -1;
    const beside = lengths[row]?.[column + 1] ?? -1;
    if (row < sent.length && column < expected.length && mine === other) {
      parts.push({ kind: 'same', text: mine });
      row += 1;
      column += 1;
    } else if (row < sent.length && (column === expected.length || below >= beside)) {
      parts.push({ kind: 'sent', text: mine });
      row += 1;
    } else {
      parts.push({ kind: 'expected', text: other });
      column += 1;
    }
  }
  return join(parts);
}

/** How much the ends of both texts, from each pair of places on, have in common. */
function commonLengths(sent: readonly string[], expected: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: sent.length + 1 }, () => new Uint16Array(expected.length + 1));
  for (let row = sent.length - 1; row >= 0; row -= 1) {
    const [here = new Uint16Array(0), below = here] = [lengths[row], lengths[row + 1]];
    for (let column = expected.length - 1; column >= 0; column -= 1) {
      here[column] =
        sent[row] === expected[column]
          ? (below[column + 1] ?? 0) + 1
          : Math.max(below[column] ?? 0, here[column + 1] ?? 0);
    }
  }
  return lengths;
}

function replaced(sent: string, expected: string): readonly DifferencePart[] {
  return [
    { kind: 'sent', text: sent },
    { kind: 'expected', text: expected },
  ];
}

function withoutIslands(parts: readonly DifferencePart[]): readonly DifferencePart[] {
  const isIsland = ({ kind, text }: DifferencePart): boolean =>
    kind === 'same' && text.length < shortestIsland;
  return parts.flatMap((part) => (isIsland(part) ? replaced(part.text, part.text) : [part]));
}

/** Neighbours of one kind made one; between two equal parts what was sent stands before what was expected. */
function join(parts: readonly DifferencePart[]): readonly DifferencePart[] {
  const joined: DifferencePart[] = [];
  let [sent, expected] = ['', ''];
  const flush = (): void => {
    if (sent !== '') joined.push({ kind: 'sent', text: sent });
    if (expected !== '') joined.push({ kind: 'expected', text: expected });
    [sent, expected] = ['', ''];
  };
  for (const { kind, text } of parts) {
    if (text === '') continue;
    if (kind === 'sent') sent += text;
    else if (kind === 'expected') expected += text;
    else {
      flush();
      const last = joined.at(-1);
      if (last?.kind === 'same') joined[joined.length - 1] = { kind, text: last.text + text };
      else joined.push({ kind, text });
    }
  }
  flush();
  return joined;
}
