import type { Pool } from 'pg';
import { maxAttempts } from '#domain/retry.ts';
import type { ChannelType } from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { nextOccurrence } from '#domain/schedule.ts';
import { insertSuccessors } from '#engine/claim.sql.ts';
import { tellScreens } from '#engine/record.sql.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

const sweepMs = 15_000;

type Deps = { pool: Pool; clock: Clock; log: Log; onPlanned: () => void };

type Bare = {
  id: string;
  workspace_id: string;
  name: string;
  revision: number;
  schedule_config: ScheduleConfig;
  channels: ChannelType[];
};

/**
 * Keeps the promise that every active scheduled reminder has its next occurrence as a job. The claim makes successors
 * itself; the planner makes them for occurrences that were paused when their time passed, and, once after a start, for
 * any reminder that lacks one.
 */
export async function runPlanner(deps: Deps, signal: AbortSignal): Promise<void> {
  // Looking at every reminder can wait until what is due has gone out.
  const sweeps = [pausedOccurrences, everyReminder];
  while (!signal.aborted) {
    try {
      await planMissing(deps, sweeps[0] ?? pausedOccurrences);
      sweeps.shift();
    } catch (error) {
      deps.log.warn({ error: String(error) }, 'a planning sweep failed');
    }
    await deps.clock.sleepUntil(deps.clock.now().add({ milliseconds: sweepMs }), signal);
  }
}

async function planMissing(deps: Deps, candidates: string): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const now = deps.clock.now();
    const { rows } = await deps.pool.query<Bare>(candidates, [now.toString(), after]);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    const planned = rows.flatMap((reminder) => {
      const at = nextOf(reminder, { now, log: deps.log });
      return at === null ? [] : [{ reminder, at: at.toString() }];
    });
    if (planned.length === 0) continue;
    await deps.pool.query({
      ...insertSuccessors,
      values: [
        planned.map(({ reminder }) => reminder.workspace_id),
        planned.map(({ reminder }) => reminder.id),
        planned.map(({ reminder }) => reminder.name),
        planned.map(({ at }) => at),
        planned.map(({ reminder }) => Math.max(...reminder.channels.map(maxAttempts))),
        planned.map(({ reminder }) => reminder.revision),
      ],
    });
    await deps.pool.query(tellScreens(planned.map(({ reminder }) => reminder.workspace_id)));
    deps.onPlanned();
  }
}

/** One reminder that cannot be understood must not keep the others without their next occurrence. */
function nextOf(reminder: Bare, { now, log }: { now: Temporal.Instant; log: Log }): Temporal.Instant | null {
  try {
    return nextOccurrence(reminder.schedule_config, { after: now });
  } catch (error) {
    log.warn({ reminder: reminder.id, error: String(error) }, 'a schedule cannot be understood');
    return null;
  }
}

const columns = "r.id, r.workspace_id, r.name, r.revision, r.schedule_config, r.metadata -> 'channels' as channels";

const lacksNext = `
  not exists (select from jobs n
               where n.reminder_id = r.id and n.type = 'reminder'
                 and (n.status in ('pending', 'running') or n.scheduled_for > $1))`;

const everyReminder = `
  select ${columns} from reminders r
   where r.status = 'active' and r.schedule_config ->> 'type' = 'scheduled' and r.id > $2 and ${lacksNext}
   order by r.id limit 500`;

const pausedOccurrences = `
  select ${columns} from reminders r
   where r.status = 'active' and r.id > $2 and ${lacksNext}
     and (r.workspace_id, r.id) in (
       select j.workspace_id, j.reminder_id from jobs j
        where j.status = 'paused' and j.type = 'reminder' and j.scheduled_for <= $1)
   order by r.id limit 500`;
