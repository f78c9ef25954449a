import { type SQL, sql } from 'drizzle-orm';
import type { TestService } from './service.ts';

/** A step of a plan; what it did is there if it was carried out. */
export interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

export const stepsOf = (step: Step): readonly Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

/** What PostgreSQL would do for a statement, for any values; or does, where it is carried out for these. */
export async function explain(
  { database: { db } }: TestService,
  statement: string | SQL,
  options: 'generic_plan' | 'analyze' = 'generic_plan',
): Promise<readonly Step[]> {
  const text = typeof statement === 'string' ? sql.raw(statement) : statement;
  const plans: unknown = await db.execute(sql`explain (${sql.raw(options)}, format json) ${text}`);
  const [row] = Array.isArray(plans) ? plans : [];
  return stepsOf(row['QUERY PLAN'][0].Plan);
}

/** The most rows that any step has read. */
export const mostRowsOf = (steps: readonly Step[]): number =>
  Math.max(
    ...steps.map(
      ({ 'Actual Rows': rows = 0, 'Actual Loops': loops = 0, 'Rows Removed by Filter': removed = 0 }) =>
        rows * loops + removed,
    ),
  );
