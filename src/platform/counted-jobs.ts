import { type RawBuilder, sql } from 'kysely';
import { uncountedTypes } from '#contract/job-types.ts';

/** The condition that a job is one that figures count. As literals, so that the planner finds the index of the others. */
export const isCountedJob = (column: 'type' | 'j.type'): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} not in (${sql.join(uncountedTypes.map((type) => sql.lit(type)))})`;
