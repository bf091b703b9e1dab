import { randomUUIDv7 } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { DeliveryStatus } from '#contract/jobs.ts';
import { type Target, targetsOf } from '#domain/recipients.ts';
import * as sql from '#engine/claim.sql.ts';
import { type ChannelRow, channelsOf } from '#engine/routes.ts';
import {
  type ClaimedJob,
  type DueJob,
  isFinal,
  isFirstClaim,
  type LiveDelivery,
  type Run,
  type Work,
} from '#engine/run.ts';
import { successorsOf } from '#engine/successors.ts';
import { dueJob, expiryOf, workOf } from '#engine/work.ts';

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
    const [, { rows }] = await Promise.all([
      client.query('begin'),
      client.query<ClaimedJob>({
        ...(request.order === 'due' ? sql.claimInOrder : sql.claimInTurn),
        values: [
          request.now.toString(),
          request.leaseUntil.toString(),
          request.worker,
          request.limit,
          request.saturated,
        ],
      }),
    ]);
    if (rows.length === 0) {
      await client.query('commit');
      isBroken = false;
      return { started: [], channels: [] };
    }
    const due = rows.map(dueJob);
    const successors = successorsOf(due, request);
    const { started, ledger } = await openRuns(client, { due, request });
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

type NewRow = { id: string; job: ClaimedJob; target: Target; status: DeliveryStatus; reason: string | null };

async function openRuns(client: PoolClient, { due, request }: { due: readonly DueJob[]; request: ClaimRequest }) {
  const started: Started[] = [];
  const rows: NewRow[] = [];
  let budget = request.budget;
  for (const one of due) {
    const { job } = one;
    const opened = openRun(one, request.now);
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
  return { started, ledger: rows.length === 0 ? null : ledgerStatement(rows, request.now) };
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

function openRun(due: DueJob, now: Temporal.Instant): Started & { refusal?: string } {
  const { job, scheduledFor } = due;
  const expiresAt = expiryOf(due);
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

function ledgerStatement(rows: readonly NewRow[], now: Temporal.Instant) {
  return {
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
  };
}
