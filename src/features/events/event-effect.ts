import { type RawBuilder, sql } from 'kysely';
import { type EventEffect, shownEventJobs } from '#contract/events.ts';

/** The columns, for a select list, that describe what an event led to. */
export const effectColumns = (eventId: RawBuilder<unknown>, workspaceId: string) => [
  sql<EventEffect['jobs']>`(
    select coalesce(jsonb_agg(jsonb_build_object('job_id', j.id, 'name', j.name, 'status', j.status)), '[]')
      from (select id, name, status from jobs
             where workspace_id = ${workspaceId} and event_id = ${eventId}
             order by scheduled_for, id limit ${shownEventJobs}) j)`.as('jobs'),
  sql<number>`(select count(*)::int from jobs where workspace_id = ${workspaceId} and event_id = ${eventId})`.as(
    'job_count',
  ),
];
