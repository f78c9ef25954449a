import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createMetrics } from '../../src/platform/metrics/metrics.ts';
import { openTestService } from '../support/service.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const operations = read('docs/operations.md');
const { app } = await openTestService();
const { registry } = await createMetrics(app);

const rule = z.strictObject({
  alert: z.string().regex(/^Latchkey[A-Za-z]+$/),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+m$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
});
const group = z.strictObject({ name: z.string(), rules: z.array(rule).min(1) });
const { groups } = z.strictObject({ groups: z.array(group) }).parse(parse(read('monitoring/alerts.yaml')));
const rules = groups.flatMap(({ rules }) => rules);

const target = z.object({ expr: z.string(), legendFormat: z.string() });
const panel = z.object({ title: z.string(), type: z.string(), targets: z.array(target).optional() });
const dashboard = z.object({ panels: z.array(panel) }).parse(JSON.parse(read('monitoring/dashboard.json')));
const targets = dashboard.panels.flatMap(({ targets = [] }) => targets);

const withLabels = z.object({ labelNames: z.array(z.string()).readonly() });

/** The labels of each series that can be asked for. */
const series = new Map<string, readonly string[]>([['up', []]]);
for (const { name, type } of registry.getMetricsAsArray()) {
  const { labelNames: labels } = withLabels.parse(registry.getSingleMetric(name));
  if (String(type) !== 'histogram') series.set(name, labels);
  else for (const part of ['bucket', 'count', 'sum']) series.set(`${name}_${part}`, [...labels, 'le']);
}

const keywords = [
  'sum',
  'rate',
  'absent',
  'increase',
  'min_over_time',
  'max',
  'topk',
  'histogram_quantile',
  'by',
  'and',
  'or',
  'vector',
];
/** Prometheus adds them to all. */
const targetLabels = ['job', 'instance'];

/** What an expression names that doesn't exist: series, labels, functions. */
function unknownIn(expr: string, legend = ''): string[] {
  const plain = expr.replaceAll(/\[[^\]]*\]|"[^"]*"/g, '');
  const matched = [...plain.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) => inner.match(/\w+/g) ?? []);
  const grouped = [...plain.matchAll(/\bby \(([^)]*)\)/g)].flatMap(
    ([, inner = '']) => inner.match(/\w+/g) ?? [],
  );
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
  const words = plain.replaceAll(/\{[^}]*\}|\bby \([^)]*\)/g, '').match(/[a-z_]\w*/gi) ?? [];
  const named = words.filter((word) => !keywords.includes(word));
  const labels = [...targetLabels, ...named.flatMap((name) => series.get(name) ?? [])];
  return [
    ...named.filter((name) => !series.has(name)),
    ...[...matched, ...grouped, ...shown].filter((label) => !labels.includes(label)),
    ...(named.length === 0 ? ['no series'] : []),
  ];
}

test.each(rules)(
  'the alert $alert uses metrics and labels that exist',
  { tags: 'parts' },
  ({ expr, annotations }) => {
    const labels = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => `{{${label}}}`);

    expect(unknownIn(expr, labels.join(' '))).toEqual([]);
  },
);

test('every alert has its section in the runbook, and every section its alert', () => {
  const sections = [...operations.matchAll(/^### (Latchkey\w+)$/gm)].map(([, name]) => name);

  expect(sections).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
});

test.each(targets)(
  'the dashboard’s $expr uses metrics and labels that exist',
  { tags: 'parts' },
  ({ expr, legendFormat }) => {
    expect(unknownIn(expr, legendFormat)).toEqual([]);
  },
);

test('operations.md describes exactly our metrics, with their labels', { tags: 'parts' }, () => {
  const rows = [...operations.matchAll(/^\| (`latchkey_[^|]*) \| ([a-z_, ]*)\|/gm)];
  const described = rows.flatMap(([, names = '', labels = '']) =>
    (names.match(/latchkey_\w+/g) ?? []).map(
      (name) => [name, labels.trim().split(', ').filter(Boolean)] as const,
    ),
  );
  const ours = [...series].filter(([name]) => name.startsWith('latchkey_') && !/_(bucket|sum)$/.test(name));
  const expected = ours.map(
    ([name, labels]) =>
      [name.replace(/_seconds_count$/, '_seconds'), labels.filter((label) => label !== 'le')] as const,
  );

  expect(new Map(described)).toEqual(new Map(expected));
});

test.each([
  ['latchkey_tokens_isued_total', ['latchkey_tokens_isued_total']],
  ['sum(latchkey_emails_total{result="sent"})', ['result']],
  ['sum by (table) (latchkey_emails_total)', ['table']],
  ['delta(up)', ['delta']],
])('what does not exist is found: %s', (expr, unknown) => {
  expect(unknownIn(expr)).toEqual(unknown);
});

test('promtool reads the rules, where it is at hand', () => {
  const { error, status, stdout } = spawnSync('promtool', ['check', 'rules', 'monitoring/alerts.yaml'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (error !== undefined) process.stderr.write('promtool is not installed: it has not read the rules\n');

  expect(error === undefined ? [status, stdout] : [0, 'SUCCESS']).toEqual([
    0,
    expect.stringContaining('SUCCESS'),
  ]);
});
