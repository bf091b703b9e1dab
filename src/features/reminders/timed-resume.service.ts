import type { Pool } from 'pg';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { pausedUntil } from '#domain/ledger-reasons.ts';
import { parseCron, ScheduleError } from '#domain/schedule.ts';
import { lockReminder } from '#features/reminders/occurrence.db.ts';
import { scheduleReminder } from '#features/reminders/occurrence.service.ts';
import { findReminder, setStatus } from '#features/reminders/reminders.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import type { Clock } from '#platform/clock.ts';
import { type Database, inTenant } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';

type Deps = {
  app: Database['app'];
  /** Connected as the role cuebird_engine, which sees every workspace. */
  pool: Pool;
  clock: Clock;
  log: Log;
};

export type TimedResume = { stop(): Promise<void> };

/** The longest sleep, and so how late a pause can end that was set meanwhile, by this process or another. */
const maxSleepMs = 15_000;
const batch = 200;

/** Resumes each reminder whose pause has ended. Several processes may do so: each reminder is resumed once. */
export function startTimedResume(deps: Deps): TimedResume {
  const { pool, clock, log } = deps;
  const stopped = new AbortController();
  const done = run();

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      const now = clock.now();
      let until = now.add({ milliseconds: maxSleepMs });
      try {
        await resumeEnded(deps, { now, signal: stopped.signal });
        const next = await nextEnd(pool, now.toString());
        if (next !== null && Temporal.Instant.compare(Temporal.Instant.from(next), until) < 0)
          until = Temporal.Instant.from(next);
      } catch (error) {
        log.warn({ error: String(error) }, 'resuming paused reminders failed; trying again');
      }
      await clock.sleepUntil(until, stopped.signal);
    }
  }

  return {
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

async function resumeEnded(deps: Deps, { now, signal }: { now: Temporal.Instant; signal: AbortSignal }): Promise<void> {
  for (let after: PausedReminder | null = null; !signal.aborted; ) {
    const ended: PausedReminder[] = await findEnded(deps.pool, { now: now.toString(), after, limit: batch });
    for (const one of ended) {
      if (signal.aborted) return;
      // One reminder that cannot be read must not keep the others paused.
      await resumeOne(deps, { of: one, now }).catch((error: unknown) =>
        deps.log.warn({ reminder: one.id, error: String(error) }, 'a paused reminder could not be resumed'),
      );
    }
    after = ended.at(-1) ?? null;
    if (ended.length < batch) return;
  }
}

/**
 * Schedules as if it had run at the end of the pause: what came due since then was missed by the service, not skipped by the pause, and follows the
 * reminder's misfire rule.
 */
const resumeOne = (
  { app }: Deps,
  { of: { id, workspace_id: workspaceId }, now }: { of: PausedReminder; now: Temporal.Instant },
): Promise<void> =>
  inTenant(app, { workspaceId, userId: null }, async (db) => {
    await lockReminder(db, id);
    const ctx = { db, workspaceId, now };
    const reminder = await findReminder(db, { workspaceId, id });
    const end = reminder?.paused_until ?? null;
    // It was resumed, edited or paused for longer meanwhile.
    if (reminder === undefined || end === null || Temporal.Instant.compare(Temporal.Instant.from(end), now) > 0) return;
    const status = canBeScheduled(reminder.schedule_config) ? 'active' : 'paused';
    const changed = await setStatus(db, { workspaceId, id, now: now.toString(), status, until: null });
    if (changed === undefined) return;
    const reason = pausedUntil(end);
    if (status === 'active') {
      await recordAct(
        { ...ctx, actor: null },
        { action: 'reminder.resumed', target: id, details: { name: reminder.name } },
      );
      await scheduleReminder(
        ctx,
        { ...reminder, status, revision: changed.revision },
        { reason, isResumed: true, pausedUntil: Temporal.Instant.from(end) },
      );
    }
    await announce(ctx, ['reminders', 'jobs']);
  });

/** False for a reminder that was edited during the pause so that it cannot be active: it stays paused. */
function canBeScheduled(config: ScheduleConfig): boolean {
  if (config.type === 'event-based') return config.eventTrigger !== undefined;
  try {
    if (config.scheduleType === 'custom') parseCron(config.customCron, config.timezone);
    return true;
  } catch (error) {
    if (error instanceof ScheduleError) return false;
    throw error;
  }
}

type PausedReminder = { id: string; workspace_id: string; paused_until: string };

/**
 * At most `limit` reminders whose pause has ended, after this id, of workspaces that are neither being deleted nor suspended: those are resumed when
 * their workspace is back.
 */
async function findEnded(
  pool: Pool,
  { now, after, limit }: { now: string; after: PausedReminder | null; limit: number },
): Promise<PausedReminder[]> {
  const { rows } = await pool.query<PausedReminder>(
    `select id, workspace_id, paused_until from reminders
      where status = 'paused' and paused_until <= $1 and (paused_until, id) > ($2, $3)
        and workspace_id <> all (array(select id from workspaces where delete_after is not null or suspended_at is not null))
      order by paused_until, id limit $4`,
    [now, after?.paused_until ?? '-infinity', after?.id ?? nilUuid, limit],
  );
  return rows;
}

/** When the next pause of a reminder ends; null when none does by itself. */
async function nextEnd(pool: Pool, now: string): Promise<string | null> {
  const { rows } = await pool.query<{ at: string | null }>(
    "select min(paused_until) as at from reminders where status = 'paused' and paused_until > $1",
    [now],
  );
  return rows[0]?.at ?? null;
}
