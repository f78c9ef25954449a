/** One edit adds, drops or replaces a character, or swaps two. */
export function isWithinEdits(edits: number, a: string, b: string): boolean {
  if (a === b) return true;
  if (edits === 0) return false;
  if (a.charAt(0) === b.charAt(0)) return isWithinEdits(edits, a.slice(1), b.slice(1));
  return (
    isWithinEdits(edits - 1, a.slice(1), b.slice(1)) ||
    isWithinEdits(edits - 1, a.slice(1), b) ||
    isWithinEdits(edits - 1, a, b.slice(1)) ||
    (a.charAt(0) === b.charAt(1) &&
      a.charAt(1) === b.charAt(0) &&
      isWithinEdits(edits - 1, a.slice(2), b.slice(2)))
  );
}
