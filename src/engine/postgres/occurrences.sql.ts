const plan = (onConflict: string) => `
  with planned as (
    insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at, max_attempts, revision)
    select u.workspace_id, u.reminder_id, u.name, 'reminder', u.at, u.at, u.max_attempts, u.revision
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::int[], $6::int[])
        as u (workspace_id, reminder_id, name, at, max_attempts, revision)
    ${onConflict}
    returning id, workspace_id, run_at, reminder_id
  )
  insert into queue (job_id, workspace_id, run_at, reminder_id) select id, workspace_id, run_at, reminder_id from planned`;

/**
 * Inserts the occurrence after each claimed one. A time that has its job already is a unique violation: `on conflict` would
 * cost every row a sixth more.
 */
export const insertNextOccurrences = { name: 'insert-next-occurrences', text: plan('') };

/** The same. A time that has its job already keeps it. */
export const insertMissingOccurrences = {
  name: 'insert-missing-occurrences',
  text: plan("on conflict (reminder_id, scheduled_for) where type = 'reminder' do nothing"),
};

const bare = 'r.id, r.workspace_id, r.name, r.revision, r.schedule_config, r.metadata';

/** True when no occurrence is pending or running. One that was paused before its time counts until that time. */
const lacksNext = `
  not exists (select from jobs n
               where n.reminder_id = r.id and n.type = 'reminder'
                 and (n.status in ('pending', 'running') or n.status = 'paused' and n.attempts = 0 and n.scheduled_for > $1))`;

/** Active scheduled reminders without a next occurrence, $1 now, $2 the last one seen. */
export const everyWithoutNext = {
  name: 'every-without-next',
  text: `
  select ${bare} from reminders r
   where r.status = 'active' and r.schedule_config ->> 'type' = 'scheduled' and r.id > $2 and ${lacksNext}
   order by r.id limit 500`,
};

/** The same for those with an occurrence whose time passed while it was paused. */
export const pausedWithoutNext = {
  name: 'paused-without-next',
  text: `
  select ${bare} from reminders r
   where r.status = 'active' and r.id > $2 and ${lacksNext}
     and (r.workspace_id, r.id) in (
       select j.workspace_id, j.reminder_id from jobs j
        where j.paused_at is not null and j.type = 'reminder' and j.scheduled_for <= $1)
   order by r.id limit 500`,
};
