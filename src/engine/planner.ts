import { maxAttempts } from '#domain/retry.ts';
import { nextOccurrence } from '#domain/schedule.ts';
import type { BareReminder, EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

const sweepMs = 15_000;

type Deps = { store: EngineStore; clock: Clock; log: Log; onPlanned: () => void };

/**
 * Keeps the promise that every active scheduled reminder has its next occurrence as a job. The claim makes successors
 * itself; the planner makes them for occurrences that were paused when their time passed, and, once after a start, for
 * any reminder that lacks one.
 */
export async function runPlanner(deps: Deps, signal: AbortSignal): Promise<void> {
  // Looking at every reminder can wait until what is due has gone out.
  const sweeps: ('paused' | 'every')[] = ['paused', 'every'];
  while (!signal.aborted) {
    try {
      await planMissing(deps, sweeps[0] ?? 'paused');
      sweeps.shift();
    } catch (error) {
      deps.log.warn({ error: String(error) }, 'a planning sweep failed');
    }
    await deps.clock.sleepUntil(deps.clock.now().add({ milliseconds: sweepMs }), signal);
  }
}

/** Plans the next occurrence of each reminder that lacks it. */
export async function planMissing({ store, clock, log, onPlanned }: Deps, only: 'paused' | 'every'): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const now = clock.now();
    const reminders = await store.withoutNext({ after, now, only });
    const last = reminders.at(-1);
    if (last === undefined) return;
    after = last.id;
    const planned = reminders.flatMap((reminder) => {
      const at = nextOf(reminder, { now, log });
      return at === null
        ? []
        : [
            {
              workspaceId: reminder.workspace_id,
              reminderId: reminder.id,
              name: reminder.name,
              at: at.toString(),
              maxAttempts: Math.max(...reminder.metadata.channels.map(maxAttempts)),
              revision: reminder.revision,
            },
          ];
    });
    if (planned.length === 0) continue;
    await store.plan(planned);
    onPlanned();
  }
}

/** One reminder that cannot be understood must not keep the others without their next occurrence. */
function nextOf(reminder: BareReminder, { now, log }: { now: Temporal.Instant; log: Log }): Temporal.Instant | null {
  try {
    return nextOccurrence(reminder.schedule_config, { after: now });
  } catch (error) {
    log.warn({ reminder: reminder.id, error: String(error) }, 'a schedule cannot be understood');
    return null;
  }
}
