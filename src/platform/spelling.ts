/** One edit adds, drops or replaces a character, or swaps two. */
export function isWithin(edits: number, a: string, b: string): boolean {
  if (a === b) return true;
  if (edits === 0) return false;
  if (a.charAt(0) === b.charAt(0)) return isWithin(edits, a.slice(1), b.slice(1));
  return (
    isWithin(edits - 1, a.slice(1), b.slice(1)) ||
    isWithin(edits - 1, a.slice(1), b) ||
    isWithin(edits - 1, a, b.slice(1)) ||
    (a.charAt(0) === b.charAt(1) &&
      a.charAt(1) === b.charAt(0) &&
      isWithin(edits - 1, a.slice(2), b.slice(2)))
  );
}
