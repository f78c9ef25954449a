/** The middle of the figures; of an even number of them the upper one. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** The figure below which so large a share of them lies. */
export function quantile(figures: readonly number[], share: number): number {
  const ordered = figures.toSorted((a, b) => a - b);
  return ordered[Math.min(Math.floor(ordered.length * share), ordered.length - 1)] ?? Number.NaN;
}

/** A Markdown table on standard output; the first row is the heading. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const [heading = []] = rows;
  const lines = [heading, heading.map(() => '---'), ...rows.slice(1)].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}
