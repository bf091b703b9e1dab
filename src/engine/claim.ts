import { randomUUIDv7 } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { DeliveryStatus } from '#contract/jobs.ts';
import { type Target, targetsOf } from '#domain/recipients.ts';
import { maxAttempts } from '#domain/retry.ts';
import { latestOccurrence } from '#domain/schedule.ts';
import * as sql from '#engine/claim.sql.ts';
import { type ChannelRow, channelsOf } from '#engine/routes.ts';
import { type ClaimedJob, isFinal, isFirstClaim, type LiveDelivery, type Run, type Work } from '#engine/run.ts';
import { expiryOf, occurrenceAfter, workOf } from '#engine/work.ts';

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

export type Claim = { started: Started[]; channels: ChannelRow[]; successors: number };

/**
 * Takes due jobs, makes their successors and writes their ledger rows, in one transaction: after its commit every
 * attempt that it began is on record, and every reminder has its next occurrence.
 */
export async function claimDueJobs(pool: Pool, request: ClaimRequest): Promise<Claim> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('begin');
    const statement = request.order === 'due' ? sql.claimInOrder : sql.claimInTurn;
    const { rows } = await client.query<ClaimedJob>({
      ...statement,
      values: [request.now.toString(), request.leaseUntil.toString(), request.worker, request.limit, request.saturated],
    });
    if (rows.length === 0) {
      await client.query('commit');
      isBroken = false;
      return { started: [], channels: [], successors: 0 };
    }
    const successors = await insertSuccessors(client, { jobs: rows, now: request.now });
    const started = await openRuns(client, { jobs: rows, request });
    const channels = await channelsOf(client, [...new Set(rows.map((job) => job.workspace_id))]);
    await client.query('commit');
    isBroken = false;
    return { started, channels, successors };
  } finally {
    // A connection in an unknown state is not put back.
    client.release(isBroken);
  }
}

/**
 * Every first claim of a scheduled occurrence makes the next one. After downtime the newest missed occurrence comes
 * first, so that a reminder catches up with one message and not with a flood.
 */
async function insertSuccessors(
  client: PoolClient,
  { jobs, now }: { jobs: readonly ClaimedJob[]; now: Temporal.Instant },
): Promise<number> {
  const found = jobs.flatMap((job) => {
    if (job.type !== 'reminder' || !isFirstClaim(job) || job.reminder_status !== 'active' || job.reminder_id === null)
      return [];
    const at = successorOf(job, now);
    const attempts = job.metadata === null ? 8 : Math.max(...job.metadata.channels.map(maxAttempts));
    return at === null ? [] : [{ job, at: at.toString(), attempts }];
  });
  if (found.length === 0) return 0;
  await client.query({
    ...sql.insertSuccessors,
    values: [
      found.map(({ job }) => job.workspace_id),
      found.map(({ job }) => job.reminder_id),
      found.map(({ job }) => job.name),
      found.map(({ at }) => at),
      found.map(({ attempts }) => attempts),
      found.map(({ job }) => job.reminder_revision),
    ],
  });
  return found.length;
}

function successorOf(job: ClaimedJob, now: Temporal.Instant): Temporal.Instant | null {
  const scheduledFor = Temporal.Instant.from(job.scheduled_for);
  const next = occurrenceAfter(job, scheduledFor);
  if (next === null || job.schedule_config === null || Temporal.Instant.compare(next, now) > 0) return next;
  return latestOccurrence(job.schedule_config, { after: scheduledFor, until: now });
}

type NewRow = { id: string; job: ClaimedJob; target: Target; status: DeliveryStatus; reason: string | null };

async function openRuns(
  client: PoolClient,
  { jobs, request }: { jobs: readonly ClaimedJob[]; request: ClaimRequest },
): Promise<Started[]> {
  const started: Started[] = [];
  const rows: NewRow[] = [];
  let budget = request.budget;
  for (const job of jobs) {
    const opened = openRun(job, request.now);
    const { run, begun } = opened;
    started.push(opened);
    if (typeof opened.refusal === 'string') {
      if (!isFirstClaim(job))
        await client.query({
          ...sql.skipDeliveries,
          values: [job.id, job.scheduled_for, opened.refusal, request.now.toString()],
        });
      continue;
    }
    const known = isFirstClaim(job) ? none : await loadLedger(client, { run, now: request.now });
    for (const target of targetsOf(run.work.recipients, run.work.channels)) {
      if (known.has(keyOf(target))) continue;
      const row: NewRow = { id: randomUUIDv7(), job, target, status: 'queued', reason: target.problem };
      rows.push(row);
      if (target.problem !== null) {
        row.status = 'skipped';
        run.tally.skipped = (run.tally.skipped ?? 0) + 1;
        run.lastReason = target.problem;
        continue;
      }
      const delivery = {
        id: row.id,
        channel: target.channel,
        recipient: target.recipient,
        recipient_name: target.recipient_name,
        attempts: 0,
        unknowns: 0,
      };
      if (budget > 0) {
        budget -= 1;
        row.status = 'sending';
        begun.push({ ...delivery, attempts: 1 });
      } else run.queued.push(delivery);
    }
  }
  if (rows.length > 0) await insertDeliveries(client, { rows, now: request.now });
  return started;
}

const none: ReadonlySet<string> = new Set();

const emptyWork: Work = {
  subject: '',
  message: '',
  recipients: [],
  channels: [],
  values: {},
  data: {},
  timezone: 'UTC',
  isTest: false,
};

function openRun(job: ClaimedJob, now: Temporal.Instant): Started & { refusal?: string } {
  const scheduledFor = Temporal.Instant.from(job.scheduled_for);
  const expiresAt = expiryOf(job, scheduledFor);
  const work = workOf(job);
  const isMissed = job.type === 'reminder' && Temporal.Instant.compare(now, expiresAt) >= 0;
  const refusal =
    'refusal' in work
      ? work.refusal
      : isMissed
        ? `Missed: it was due at ${job.scheduled_for} and could not be sent in time`
        : undefined;
  const run: Run = {
    job,
    work: 'refusal' in work ? emptyWork : work,
    scheduledFor,
    startedAt: now,
    expiresAt,
    inFlight: 0,
    queued: [],
    tally: refusal === undefined ? {} : { skipped: 1 },
    nextAttemptAt: null,
    lastReason: refusal ?? null,
    attempted: 0,
    isLost: false,
  };
  return { run, begun: [], refusal };
}

type LedgerRow = LiveDelivery & { status: DeliveryStatus; next_attempt_at: string | null; reason: string | null };

/** Takes over what earlier runs of the job left: final rows count, due ones queue up, later ones keep waiting. */
async function loadLedger(client: PoolClient, { run, now }: { run: Run; now: Temporal.Instant }): Promise<Set<string>> {
  const { rows } = await client.query<LedgerRow>({ ...sql.ledgerOf, values: [[run.job.id], [run.job.scheduled_for]] });
  for (const row of rows) {
    if (isFinal(row.status)) {
      run.tally[row.status] = (run.tally[row.status] ?? 0) + 1;
      if (row.status !== 'accepted' && row.status !== 'delivered') run.lastReason = row.reason;
      continue;
    }
    const nextAttemptAt = row.next_attempt_at === null ? now : Temporal.Instant.from(row.next_attempt_at);
    if (Temporal.Instant.compare(nextAttemptAt, now) <= 0) {
      const { id, channel, recipient, recipient_name, attempts, unknowns } = row;
      run.queued.push({ id, channel, recipient, recipient_name, attempts, unknowns });
    } else if (run.nextAttemptAt === null || Temporal.Instant.compare(nextAttemptAt, run.nextAttemptAt) < 0)
      run.nextAttemptAt = nextAttemptAt;
  }
  return new Set(rows.map(keyOf));
}

const keyOf = (row: { channel: string; recipient: string }) => `${row.channel} ${row.recipient}`;

async function insertDeliveries(
  client: PoolClient,
  { rows, now }: { rows: readonly NewRow[]; now: Temporal.Instant },
): Promise<void> {
  await client.query({
    ...sql.insertDeliveries,
    values: [
      rows.map((row) => row.id),
      rows.map((row) => row.job.workspace_id),
      rows.map((row) => row.job.id),
      rows.map((row) => row.job.scheduled_for),
      rows.map((row) => row.target.channel),
      rows.map((row) => row.target.recipient),
      rows.map((row) => row.target.recipient_name),
      rows.map((row) => row.status),
      rows.map((row) => row.reason),
      now.toString(),
    ],
  });
}
