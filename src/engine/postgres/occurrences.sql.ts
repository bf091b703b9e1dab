import { insertJobsText, keepOccurrence } from '#platform/new-jobs.ts';

/** The columns of a new occurrence, in the order of the statement's parameters. */
export const occurrenceColumns = [
  'workspace_id',
  'reminder_id',
  'name',
  'scheduled_for',
  'max_attempts',
  'revision',
] as const;

const schedule = (onConflict: string) => `
  with scheduled as (
    ${insertJobsText(occurrenceColumns, { type: "'reminder'" })}
    ${onConflict}
    returning id, workspace_id, run_at, reminder_id
  )
  insert into queue (job_id, workspace_id, run_at, reminder_id) select id, workspace_id, run_at, reminder_id from scheduled`;

/**
 * Inserts the occurrence after each claimed one. A time that has its job already is a unique violation: `on conflict` would
 * cost every row a sixth more.
 */
export const insertNextOccurrences = { name: 'insert-next-occurrences', text: schedule('') };

/** Inserts occurrences; a time for which a job exists keeps that job. */
export const insertMissingOccurrences = { name: 'insert-missing-occurrences', text: schedule(keepOccurrence) };

const bare = 'r.id, r.workspace_id, r.name, r.revision, r.schedule_config, r.metadata';

/**
 * True when no occurrence is pending or running. One that was paused before its time counts until that time. Nearly every reminder has a
 * pending one, and the queue finds it at once; the other question reads all occurrences of the reminder, as far back as they are kept.
 * OFFSET 0 keeps the query planner from reading these tables whole, for a hash of all reminders.
 */
const lacksNext = `
  case when exists (select from queue q
                     cross join lateral (select from jobs where id = q.job_id and type = 'reminder' and status = 'pending' offset 0) n
                     where q.reminder_id = r.id offset 0) then false
       else not exists (select from jobs n
                         where n.reminder_id = r.id and n.type = 'reminder'
                           and (n.status in ('pending', 'running') or n.status = 'paused' and n.attempts = 0 and n.scheduled_for > $1)
                        offset 0) end`;

/** The last of the next $2 reminders after $1; no row when there are fewer. */
export const endOfSlice = {
  name: 'end-of-slice',
  text: 'select id from reminders where id > $1 order by id limit 1 offset $2 - 1',
};

/** Active scheduled reminders without a next occurrence, $1 now, after $2 and up to $3. */
export const everyWithoutNext = {
  name: 'every-without-next',
  text: `
  select ${bare} from reminders r
   where r.status = 'active' and r.schedule_config ->> 'type' = 'scheduled' and r.id > $2 and r.id <= $3 and ${lacksNext}
   order by r.id`,
};

/** The first $3 after $2 of those with an occurrence whose time passed while it was paused, $1 now. */
export const pausedWithoutNext = {
  name: 'paused-without-next',
  text: `
  with paused as materialized (
    select distinct j.workspace_id, j.reminder_id from jobs j
     where j.paused_at is not null and j.type = 'reminder' and j.scheduled_for <= $1 and j.reminder_id > $2
  )
  select ${bare} from paused p
    join reminders r on r.workspace_id = p.workspace_id and r.id = p.reminder_id
   where r.status = 'active' and ${lacksNext}
   order by r.id limit $3`,
};
