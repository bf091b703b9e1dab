import { randomUUIDv7 } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import * as sql from '#engine/claim.sql.ts';
import { ledgerKey, ledgerStatement, type NewRow, takeOverLedger } from '#engine/ledger.ts';
import { type PreparedJob, prepareJob } from '#engine/prepare.ts';
import { type ChannelRow, channelsOf } from '#engine/routes.ts';
import { type ClaimedJob, isFirstClaim, type LiveDelivery, type Run, type Work } from '#engine/run.ts';
import { successorStatement } from '#engine/successors.ts';

export type ClaimRequest = {
  now: Temporal.Instant;
  leaseUntil: Temporal.Instant;
  worker: string;
  /** Jobs to take at the most. */
  limit: number;
  /** Attempts that may begin with the claim itself; the rest of the recipients wait in the ledger. */
  budget: number;
  order: 'due' | 'turn';
  saturated: readonly string[];
};

/** A run with the deliveries whose first attempt the claim has begun. */
export type Started = { run: Run; begun: LiveDelivery[] };

export type Claim = { started: Started[]; channels: ChannelRow[] };

/**
 * Takes due jobs, makes their successors and writes their ledger rows, in one transaction: after its commit every
 * attempt that it began is on record, and every reminder has its next occurrence.
 */
export async function claimDueJobs(pool: Pool, request: ClaimRequest): Promise<Claim> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    // The engine's connections are pipelined: what needs nobody's answer first is sent together.
    const [, { rows }] = await Promise.all([client.query('begin'), client.query<ClaimedJob>(claimStatement(request))]);
    if (rows.length === 0) {
      await client.query('commit');
      isBroken = false;
      return { started: [], channels: [] };
    }
    const jobs = await withFreshReminders(client, rows);
    const prepared = jobs.map((job) => prepareJob(job, request.now));
    const { started, newRows } = await openRuns(client, { prepared, request });
    const successors = successorStatement(prepared);
    const ledger = ledgerStatement(newRows, request.now);
    // The commit goes out behind these before they are answered, so everything that may fail here was done above.
    const [channels] = await Promise.all([
      channelsOf(client, [...new Set(rows.map((job) => job.workspace_id))]),
      successors && client.query(successors),
      ledger && client.query(ledger),
      client.query('commit'),
    ]);
    isBroken = false;
    return { started, channels };
  } finally {
    // A connection in an unknown state is not put back.
    client.release(isBroken);
  }
}

const claimStatement = (request: ClaimRequest) => ({
  ...(request.order === 'due' ? sql.claimInOrder : sql.claimInTurn),
  values: [request.now.toString(), request.leaseUntil.toString(), request.worker, request.limit, request.saturated],
});

type ReminderPart = { id: string } & Pick<
  ClaimedJob,
  'reminder_status' | 'reminder_revision' | 'schedule_config' | 'content' | 'metadata'
>;

async function withFreshReminders(client: PoolClient, jobs: ClaimedJob[]): Promise<ClaimedJob[]> {
  const stale = jobs.filter((job) => job.reminder_revision !== null && job.reminder_revision < job.revision);
  if (stale.length === 0) return jobs;
  const { rows } = await client.query<ReminderPart>({
    ...sql.reminderOf,
    values: [stale.map((job) => job.workspace_id), stale.map((job) => job.reminder_id)],
  });
  const fresh = new Map(rows.map(({ id, ...part }) => [id, part]));
  return jobs.map((job) => (stale.includes(job) ? { ...job, ...fresh.get(job.reminder_id ?? '') } : job));
}

async function openRuns(
  client: PoolClient,
  { prepared, request }: { prepared: readonly PreparedJob[]; request: ClaimRequest },
): Promise<{ started: Started[]; newRows: NewRow[] }> {
  const newRows: NewRow[] = [];
  const started: Started[] = [];
  let { budget } = request;
  for (const one of prepared) {
    const { job, plan } = one;
    const run = openRun(one, request.now);
    const [targets, refusal] = 'refusal' in plan ? [[], plan.refusal] : [plan.targets, null];
    const known = isFirstClaim(job) ? none : await takeOverLedger(client, { run, targets, refusal, now: request.now });
    if (refusal !== null) refuse(run, refusal);
    const begun: LiveDelivery[] = [];
    for (const target of targets) {
      if (known.size > 0 && known.has(ledgerKey(target))) continue;
      const row: NewRow = { id: randomUUIDv7(), job, target, status: 'queued', reason: target.problem };
      newRows.push(row);
      if (target.problem !== null) {
        row.status = 'skipped';
        run.tally.skipped = (run.tally.skipped ?? 0) + 1;
        run.lastSkip = target.problem;
        continue;
      }
      const { channel, recipient, recipient_name } = target;
      const delivery = { id: row.id, channel, recipient, recipient_name, attempts: 0, unknowns: 0 };
      if (budget > 0) {
        budget -= 1;
        row.status = 'sending';
        begun.push({ ...delivery, attempts: 1 });
      } else run.queued.push(delivery);
    }
    started.push({ run, begun });
  }
  return { started, newRows };
}

const none: ReadonlySet<string> = new Set();

/** Nothing is sent. A run that had served nobody ends as cancelled with this reason, whatever its ledger holds. */
function refuse(run: Run, refusal: string): void {
  run.lastSkip = refusal;
  run.nextAttemptAt = null;
  if (Object.keys(run.tally).length === 0) run.tally = { skipped: 1 };
}

function openRun({ job, scheduledFor, expiresAt, plan }: PreparedJob, now: Temporal.Instant): Run {
  return {
    job,
    work: 'refusal' in plan ? noWork : plan.work,
    scheduledFor,
    startedAt: now,
    expiresAt,
    inFlight: 0,
    queued: [],
    tally: {},
    nextAttemptAt: null,
    lastFailure: null,
    lastSkip: null,
    attempted: 0,
    isLost: false,
  };
}

const noWork: Work = {
  subject: '',
  message: '',
  recipients: [],
  channels: [],
  values: {},
  data: {},
  timezone: 'UTC',
  isTest: false,
};
