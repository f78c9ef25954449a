import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Burst {
  readonly perSecond: number;
  readonly serverMicroseconds: number;
  readonly databaseMicroseconds: number;
  readonly p99Ms: number;
  readonly walBytes: number;
}

export interface Measurement {
  readonly workload: string;
  readonly name: string;
  readonly bursts: readonly Burst[];
  readonly megabytes: number;
  readonly transactions: number;
  readonly rows: number;
}

/** Returns the figure below which this share of them lies; by default the middle. */
export function quantile(figures: readonly number[], share = 0.5): number {
  const ordered = figures.toSorted((a, b) => a - b);
  return ordered[Math.min(Math.floor(ordered.length * share), ordered.length - 1)] ?? Number.NaN;
}

const median = (bursts: readonly Burst[], figure: keyof Burst): number =>
  quantile(bursts.map((burst) => burst[figure]));

/** Returns the median of the rounds' ratios to another contender of the workload, or to the first. */
export function ratioOf(
  all: readonly Measurement[],
  one: Measurement,
  figure: keyof Burst,
  other?: string,
): number {
  const isBase = ({ name, workload }: Measurement): boolean =>
    workload === one.workload && (other === undefined || name === other);
  const base = all.find(isBase)?.bursts ?? [];
  return quantile(one.bursts.map((burst, round) => burst[figure] / (base[round]?.[figure] ?? Number.NaN)));
}

export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = heading.map((_, index) => (index === 0 ? '---' : '---:'));
  return [heading, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const shown = (figure: number, digits: number): string =>
  Number.isFinite(figure) ? figure.toFixed(digits).replace('-0.0', '0.0') : '–';

export function describe(all: readonly Measurement[]): string {
  const figures =
    'requests/s|CPU of the service, µs|CPU of PostgreSQL, µs|p99, ms|transactions|WAL, bytes|rows|MB';
  return table(
    ['medians (× the first)', ...figures.split('|')],
    all.map((one) => {
      const cell = (figure: keyof Burst): string =>
        `${shown(median(one.bursts, figure), 0)} (${shown(ratioOf(all, one, figure), 2)})`;
      return [
        `${one.workload}: ${one.name}`,
        ...(['perSecond', 'serverMicroseconds', 'databaseMicroseconds'] as const).map(cell),
        shown(median(one.bursts, 'p99Ms'), 1),
        shown(one.transactions, 2),
        shown(median(one.bursts, 'walBytes'), 0),
        shown(one.rows, 1),
        shown(one.megabytes, 0),
      ];
    }),
  );
}

/** Draws CPU of a request where there is a peer: the service, then PostgreSQL. */
function plot(all: readonly Measurement[]): string {
  const compared = all.filter(({ name }) => name === 'node-oauth').map(({ workload }) => workload);
  const bars = all.filter(({ workload }) => compared.includes(workload));
  const cpuOf = ({ bursts }: Measurement) =>
    [median(bursts, 'serverMicroseconds') || 0, median(bursts, 'databaseMicroseconds')] as const;
  const scale = 380 / Math.max(...bars.map((bar) => cpuOf(bar)[0] + cpuOf(bar)[1]));
  let y = 48;
  const drawn = bars.map((bar, index) => {
    const isFirst = bars[index - 1]?.workload !== bar.workload;
    y += isFirst ? 50 : 22;
    const heading = isFirst ? `<text x="16" y="${y - 22}" class="b">${bar.workload}</text>` : '';
    const [service, database] = cpuOf(bar).map((figure) => figure * scale) as [number, number];
    const colour = bar.name === 'Latchkey' ? 's' : 'o';
    const rect = (x: number, width: number, look: string): string =>
      `<rect x="${x.toFixed(1)}" y="${y - 12}" width="${width.toFixed(1)}" height="15" class="${look}"/>`;
    const figures = cpuOf(bar).flatMap((figure) => (figure === 0 ? [] : [shown(figure, 0)]));
    const label = `${figures.join(' + ')} µs, ${shown(median(bar.bursts, 'perSecond'), 0)}/s`;
    return `${heading}<text x="102" y="${y}" text-anchor="end">${bar.name}</text>${rect(110, service, colour)}${rect(110 + service, database, `${colour} d`)}<text x="${(118 + service + database).toFixed(1)}" y="${y}">${label}</text>`;
  });
  const style =
    'text{font:13px system-ui,sans-serif;fill:#333}.b{font-weight:600}.p{fill:#fff}.s{fill:#1f6feb}.o{fill:#8b949e}.d{opacity:.5}@media(prefers-color-scheme:dark){.p{fill:#0d1117}text{fill:#d0d7de}.s{fill:#58a6ff}}';
  const size = `width="720" height="${y + 20}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 720 ${y + 20}" role="img" aria-label="CPU of a request"><style>${style}</style><rect ${size} rx="6" class="p"/>
<text x="16" y="28" class="b">CPU of a request: service (full) and PostgreSQL (pale)</text><text x="16" y="48">Less is better. Medians, 32 callers at a time.</text>
${drawn.join('')}</svg>
`;
}

export function publish(all: readonly Measurement[], text: string): void {
  const readme = join(import.meta.dirname, 'README.md');
  const written = readFileSync(readme, 'utf8').replace(
    /(<!-- figures -->\n).*(\n<!-- end of figures -->)/s,
    (_, before: string, after: string) => `${before}\n${text}\n${after}`,
  );
  writeFileSync(readme, written);
  writeFileSync(join(import.meta.dirname, 'figures.svg'), plot(all));
}
