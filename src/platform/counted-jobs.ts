import { type RawBuilder, sql } from 'kysely';
import { uncountedTypes } from '#contract/job-types.ts';

/** The condition that a job is one that figures count. As literals, so that the planner finds the index of the others. */
export const isCountedJob = (column: 'type' | 'j.type'): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} not in (${sql.join(uncountedTypes.map((type) => sql.lit(type)))})`;

/** The condition that a row of `jobs` failed and yet reached somebody: `isPartlySent` in domain/run-outcome.ts. */
export const isPartlySentJob: RawBuilder<boolean> = sql<boolean>`jobs.status = 'failed' and exists (
  select from deliveries d
   where d.workspace_id = jobs.workspace_id and d.job_id = jobs.id and d.scheduled_for = jobs.scheduled_for
     and d.status in ('accepted', 'delivered'))`;
