import { randomUUIDv7 } from 'node:crypto';
import type { Pool } from 'pg';
import type { Held, HoldNotice } from '#contract/hold.ts';
import * as sql from '#engine/hold.sql.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { prepareJob } from '#engine/prepare.ts';
import type { ClaimedJob } from '#engine/run.ts';
import type { Clock } from '#platform/clock.ts';

const shown = 20;

type Deps = { pool: Pool; clock: Clock };

/** What would go out if deliveries were released now. */
export async function listHeld({ pool, clock }: Deps, notice: HoldNotice): Promise<Held> {
  const now = clock.now();
  const { rows } = await pool.query<Held['workspaces'][number] & { all_due: number; all_later: number }>(
    sql.waitingByWorkspace,
    [now.toString()],
  );
  return {
    state: 'held',
    ...notice,
    due: rows[0]?.all_due ?? 0,
    later: rows[0]?.all_later ?? 0,
    workspaces: rows.map(({ workspace_id, name, due, later }) => ({ workspace_id, name, due, later })),
    first: await firstOfAll(pool, now),
  };
}

async function firstOfAll(pool: Pool, now: Temporal.Instant): Promise<Held['first']> {
  const jobs = await peek(pool, now);
  const { rows } = await pool.query<{ id: string; name: string }>(sql.namesOfWorkspaces, [
    jobs.map((job) => job.workspace_id),
  ]);
  const names = new Map(rows.map((row) => [row.id, row.name]));
  return jobs
    .flatMap((job) => comingUp(job, now).map((one) => ({ ...one, workspace: names.get(job.workspace_id) ?? '' })))
    .toSorted((a, b) => a.scheduled_for.localeCompare(b.scheduled_for))
    .slice(0, shown);
}

/** By the claim itself, which is broken off: what it would take is what is shown. */
async function peek(pool: Pool, now: Temporal.Instant): Promise<ClaimedJob[]> {
  let jobs: ClaimedJob[] = [];
  const brokenOff = new Error('only a look');
  await createPostgresStore(pool)
    .claim(
      {
        claimId: randomUUIDv7(),
        now,
        leaseUntil: now,
        worker: 'a look',
        limit: shown,
        order: { by: 'due' },
        except: [],
      },
      async (found) => {
        jobs = found.jobs;
        throw brokenOff;
      },
    )
    .catch((error: unknown) => {
      if (error !== brokenOff) throw error;
    });
  return jobs;
}

/** A job and, of a reminder that has missed several occurrences, what follows it at once. */
function comingUp(job: ClaimedJob, now: Temporal.Instant): Omit<Held['first'][number], 'workspace'>[] {
  const found = [];
  for (let next: ClaimedJob | null = job; next !== null && found.length < shown; ) {
    const { plan, scheduledFor, successor } = prepareJob(next, { now, exists: true });
    const targets = 'refusal' in plan ? [] : plan.targets.filter((target) => target.problem === null);
    found.push({
      workspace_id: job.workspace_id,
      name: job.name,
      scheduled_for: scheduledFor.toString({ fractionalSecondDigits: 3 }),
      recipients: new Set(targets.map((target) => target.recipient)).size,
      refusal: 'refusal' in plan ? plan.refusal : null,
    });
    const isDue = successor !== null && Temporal.Instant.compare(successor, now) <= 0;
    const fresh = { attempts: 1, due_at: null, begun_at: null };
    next = isDue ? { ...next, ...fresh, scheduled_for: successor.toString() } : null;
  }
  return found;
}
