/** The letter that stands for a client without a logo: its name's first character that people can see; a dot when there is none. */
export function markOf(name: string): string {
  const [first = '•'] = name.match(/[\p{L}\p{N}\p{S}]/gu) ?? [];
  return first.toUpperCase();
}
