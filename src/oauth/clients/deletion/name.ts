/**
 * Whether somebody has typed a name. Letters that are the same to the eye count as the same, and what no keyboard writes is left out, so that
 * every name can be typed.
 */
export function isNameOf(name: string, typed: string): boolean {
  return toTyped(name) === toTyped(typed);
}

function toTyped(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
