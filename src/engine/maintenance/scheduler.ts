import { maxAttemptsOf } from '#domain/retry.ts';
import { nextOccurrence } from '#domain/schedule.ts';
import type { BareReminder, EngineStore } from '#engine/store.ts';
import { type Clock, neverAborts } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';

const sweepMs = 15_000;

type Deps = { store: EngineStore; clock: Clock; log: Log; onScheduled: () => void };

/**
 * Ensures that every active scheduled reminder has a job for its next occurrence. The claim schedules the next occurrence
 * itself. The scheduler schedules it for occurrences whose time passed while they were paused and, once after a start, for
 * every reminder that lacks one.
 */
export async function runScheduler(deps: Deps, signal: AbortSignal): Promise<void> {
  // The sweep over all reminders runs after the first sweep, so that it does not delay what is due.
  const sweeps: ('paused' | 'every')[] = ['paused', 'every'];
  while (!signal.aborted) {
    try {
      await scheduleMissing(deps, sweeps[0] ?? 'paused', signal);
      sweeps.shift();
    } catch (error) {
      deps.log.warn({ error: String(error) }, 'a scheduling sweep failed');
    }
    await deps.clock.sleepUntil(deps.clock.now().add({ milliseconds: sweepMs }), signal);
  }
}

/** Schedules the next occurrence of each reminder that lacks one, until there are no more or it is told to stop. */
export async function scheduleMissing(
  { store, clock, log, onScheduled }: Deps,
  only: 'paused' | 'every',
  signal: AbortSignal = neverAborts,
): Promise<void> {
  for (let after: string | null = nilUuid; after !== null && !signal.aborted; ) {
    const now = clock.now();
    const { reminders, last } = await store.withoutNext({ after, now, only });
    after = last;
    const scheduled = reminders.flatMap((reminder) => {
      const at = nextOf(reminder, { now, log });
      return at === null
        ? []
        : [
            {
              workspaceId: reminder.workspace_id,
              reminderId: reminder.id,
              name: reminder.name,
              at: at.toString(),
              maxAttempts: maxAttemptsOf(reminder.metadata.channels),
              revision: reminder.revision,
            },
          ];
    });
    if (scheduled.length === 0) continue;
    await store.schedule(scheduled);
    onScheduled();
  }
}

/** One reminder that cannot be read must not stop the others. */
function nextOf(reminder: BareReminder, { now, log }: { now: Temporal.Instant; log: Log }): Temporal.Instant | null {
  try {
    return nextOccurrence(reminder.schedule_config, { after: now });
  } catch (error) {
    log.warn({ reminder: reminder.id, error: String(error) }, 'a schedule cannot be read');
    return null;
  }
}
