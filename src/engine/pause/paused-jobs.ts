import { randomUUIDv7 } from 'node:crypto';
import type { Pool } from 'pg';
import type { PausedDeliveries, DeliveryPauseNotice } from '#contract/delivery-pause.ts';
import type { MisfirePolicy } from '#contract/misfire.ts';
import { isoOf } from '#domain/instants.ts';
import * as sql from '#engine/pause/delivery-pause.sql.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { prepareJob } from '#engine/run/prepared-job.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import type { Clock } from '#platform/clock.ts';

const shown = 20;

type Deps = { pool: Pool; clock: Clock };

/** Returns what would be sent if deliveries were resumed now. */
export async function listPausedJobs({ pool, clock }: Deps, notice: DeliveryPauseNotice): Promise<PausedDeliveries> {
  const now = clock.now();
  const { rows } = await pool.query<PausedDeliveries['workspaces'][number] & { all_due: number; all_later: number }>(
    sql.waitingByWorkspace,
    [now.toString()],
  );
  return {
    state: 'paused',
    ...notice,
    due: rows[0]?.all_due ?? 0,
    later: rows[0]?.all_later ?? 0,
    workspaces: rows.map(({ workspace_id, name, due, later }) => ({ workspace_id, name, due, later })),
    first: await firstJobs(pool, now),
  };
}

type Workspace = { id: string; name: string; misfire: MisfirePolicy };

async function firstJobs(pool: Pool, now: Temporal.Instant): Promise<PausedDeliveries['first']> {
  const jobs = await peek(pool, now);
  const { rows } = await pool.query<Workspace>(sql.rulesOfWorkspaces, [jobs.map((job) => job.workspace_id)]);
  const workspaces = new Map(rows.map((row) => [row.id, row]));
  return jobs
    .flatMap((job) => {
      const { name = '', misfire } = workspaces.get(job.workspace_id) ?? {};
      return upcoming(job, { nowMs: now.epochMilliseconds, misfire }).map((one) => ({ ...one, workspace: name }));
    })
    .toSorted((a, b) => a.scheduled_for.localeCompare(b.scheduled_for))
    .slice(0, shown);
}

/** Runs the real claim and rolls it back, so that exactly what would be claimed is shown. */
async function peek(pool: Pool, now: Temporal.Instant): Promise<ClaimedJob[]> {
  let jobs: ClaimedJob[] = [];
  const rolledBack = new Error('rolls back a preview');
  await createPostgresStore(pool)
    .claim(
      {
        claimId: randomUUIDv7(),
        now,
        leaseUntil: now,
        worker: 'preview',
        maxJobs: shown,
        order: { by: 'due' },
        except: [],
      },
      async (found) => {
        jobs = found.jobs;
        throw rolledBack;
      },
    )
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
  return jobs;
}

/** The occurrences that would be sent at once: the job, and the other missed ones that its reminder catches up with. */
function upcoming(
  job: ClaimedJob,
  { nowMs, misfire }: { nowMs: number; misfire: MisfirePolicy | undefined },
): Omit<PausedDeliveries['first'][number], 'workspace'>[] {
  const found = [];
  for (let next: ClaimedJob | null = job; next !== null && found.length < shown; ) {
    const { dispatch, scheduledForMs, nextOccurrenceMs } = prepareJob(next, { nowMs, exists: true, misfire });
    const targets = 'refusal' in dispatch ? [] : dispatch.targets.filter((target) => target.problem === null);
    found.push({
      workspace_id: job.workspace_id,
      name: job.name,
      scheduled_for: isoOf(scheduledForMs),
      recipients: new Set(targets.map((target) => target.recipient)).size,
      refusal: 'refusal' in dispatch ? dispatch.refusal.reason : null,
    });
    const fresh = { attempts: 1, due_at: null, begun_at: null };
    const isDue = nextOccurrenceMs !== null && nextOccurrenceMs <= nowMs;
    next = isDue ? { ...next, ...fresh, scheduled_for: isoOf(nextOccurrenceMs) } : null;
  }
  return found;
}
