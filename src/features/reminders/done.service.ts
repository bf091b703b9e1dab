import { sql } from 'kysely';

/**
 * Whether all occurrences of the reminder `r` lie behind it and none waits or runs. Only a schedule that ends can be done. The queue answers for
 * nearly every reminder; the other question reads the jobs of one that has nothing ahead. OFFSET 0 keeps the planner from reading these tables whole.
 */
export const isDone = sql<boolean>`(
  case when r.status <> 'active' or r.schedule_config ->> 'type' <> 'scheduled' then false
       when r.schedule_config ->> 'scheduleType' is distinct from 'once' and r.schedule_config ->> 'endDate' is null then false
       when exists (select from queue next where next.reminder_id = r.id offset 0) then false
       else not exists (select from jobs open
                         where open.reminder_id = r.id and open.type = 'reminder' and open.status in ('pending', 'running', 'paused') offset 0)
   end)`;

/** Whether the reminder `r` is among the reminders. A message that is written once is in the jobs alone. */
export const isListed = sql<boolean>`(r.metadata ->> 'one_off') is distinct from 'true'`;
