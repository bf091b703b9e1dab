import type { Pool, PoolClient, QueryConfig } from 'pg';
import { recipientKey } from '#domain/recipients.ts';
import type { Claim } from '#engine/claim.ts';
import * as claiming from '#engine/claim.sql.ts';
import { plainColumn } from '#engine/columns.ts';
import { keyInWorkspace } from '#engine/contacts.ts';
import * as pacing from '#engine/pace.sql.ts';
import * as recording from '#engine/record.sql.ts';
import type { ChannelRow } from '#engine/routes.ts';
import type { ClaimedJob, LiveDelivery } from '#engine/run.ts';
import {
  type BareReminder,
  type Begun,
  type ClaimRequest,
  type EndedRow,
  type EngineStore,
  type Found,
  type HeldJob,
  type KnownContact,
  type LedgerRow,
  type LostAttempt,
  type OpenClaim,
  type OutcomeRow,
  type RecordBatch,
  type Stand,
  type Successor,
  suppressionKey,
  type WorkspaceFacts,
} from '#engine/store.ts';

/**
 * The engine's database. Its pool pipelines: what needs nobody's answer first is sent together, and a commit goes out
 * behind its statements before they are answered.
 */
export function createPostgresStore(pool: Pool): EngineStore {
  return {
    async claim(request, decide) {
      return inOneTransaction(pool, async (client) => {
        const [, { rows: jobs }] = await Promise.all([
          client.query('begin'),
          client.query<ClaimedJob>(claimStatement(request)),
        ]);
        if (jobs.length === 0) {
          await client.query('commit');
          return null;
        }
        const claim = await decide(foundBy(client, { jobs: await withFreshReminders(client, jobs), now: request.now }));
        await Promise.all([...claimWrites(claim, request).map((write) => client.query(write)), client.query('commit')]);
        return claim;
      });
    },

    async nextDue(except) {
      const statement = except.length === 0 ? claiming.nextDue : { ...claiming.nextDueExcept, values: [except] };
      const { rows } = await pool.query<{ run_at: string | null }>(statement);
      const at = rows[0]?.run_at ?? null;
      return at === null ? null : Temporal.Instant.from(at);
    },

    async stillHeld(claimId, waiting) {
      const workspaceIds = [...new Set(waiting.map((one) => one.workspaceId))];
      const jobIds = [...new Set(waiting.map((one) => one.jobId))];
      const recipients = waiting.map((one) => ({ ...one, key: recipientKey(one.recipient) }));
      return inOneTransaction(pool, async (client) => {
        const [, { rows: jobs }, suppressed, { rows: channels }] = await Promise.all([
          client.query('begin'),
          client.query<{ id: string }>({ ...claiming.stillHeld, values: [claimId, jobIds] }),
          suppressedAmong(client, recipients),
          client.query<ChannelRow>({ ...claiming.channelsOf, values: [workspaceIds] }),
          client.query('commit'),
        ]);
        return { held: new Set(jobs.map((row) => row.id)), suppressed, channels };
      });
    },

    async beginAttempts(job, { chosen, now }) {
      const keys = chosen.map(({ recipient }) => recipientKey(recipient));
      const { begun, channels } = await inOneTransaction(pool, async (client) => {
        const [, , { rows: started }, { rows: current }] = await Promise.all([
          client.query('begin'),
          client.query({
            ...claiming.skipSuppressed,
            values: [
              job.id,
              job.scheduledFor,
              chosen.map((one) => one.channel),
              chosen.map((one) => one.recipient),
              keys,
              now.toString(),
              job.workspaceId,
            ],
          }),
          client.query<Begun>({
            ...claiming.beginAttempts,
            values: [
              job.id,
              job.claimId,
              chosen.map((one) => one.channel),
              chosen.map((one) => one.recipient),
              chosen.map((one) => one.attempts),
              now.toString(),
              keys,
              job.workspaceId,
            ],
          }),
          client.query<ChannelRow>({ ...claiming.channelsOf, values: [[job.workspaceId]] }),
          client.query('commit'),
        ]);
        return { begun: started, channels: current };
      });
      const ended = begun.length === chosen.length ? [] : await endedAmong(pool, { job, chosen });
      return { begun, ended, channels };
    },

    async standOf(jobId) {
      const { rows } = await pool.query<Stand>({ ...claiming.standOf, values: [jobId] });
      return rows[0] ?? null;
    },

    async skipOpen(job, { reason, now }) {
      const values = [job.id, job.scheduledFor, reason, now.toString()];
      return (await pool.query<EndedRow>({ ...claiming.skipOpen, values })).rows;
    },

    async takeTimes({ id, workspaceId, ratePerSecond }, { count, now }) {
      const take = async () =>
        (
          await pool.query<{ first: string; count: number; next: string }>({
            ...pacing.takeTimes,
            values: [id, count, ratePerSecond, now.toString()],
          })
        ).rows[0];
      const begin = () => pool.query({ ...pacing.beginPace, values: [id, workspaceId, now.toString()] });
      const taken = (await take()) ?? (await begin().then(take));
      // A channel that has been deleted sends nothing more: what was to go over it finds its way anew as it begins.
      if (taken === undefined) return { first: now, count, next: now };
      return { first: Temporal.Instant.from(taken.first), count: taken.count, next: Temporal.Instant.from(taken.next) };
    },

    async holdChannel({ id }, until) {
      await pool.query({ ...pacing.holdChannel, values: [id, until.toString()] });
    },

    async extendLeases(claimIds, until) {
      const { rows } = await pool.query<{ id: string }>({
        ...claiming.extendLeases,
        values: [claimIds, until.toString()],
      });
      return new Set(rows.map((row) => row.id));
    },

    record: (batch) => record(pool, batch),

    async openClaims() {
      return (await pool.query<OpenClaim>(recording.openClaims)).rows;
    },

    async rescue({ claim: { id, leaseUntil }, now }, settleLost) {
      return inOneTransaction(pool, async (client) => {
        const [, { rows: claims }] = await Promise.all([
          client.query('begin'),
          client.query<{ id: string; job_ids: string[] }>({ ...recording.takeOverClaim, values: [id, leaseUntil] }),
        ]);
        const [claim] = claims;
        if (claim === undefined) {
          await client.query('commit');
          return null;
        }
        const { rows: attempts } = await client.query<LostAttempt>({ ...recording.lostAttempts, values: [claim.id] });
        const outcomes = attempts.map((attempt) => ({
          job: { id: attempt.job_id, scheduled_for: attempt.scheduled_for },
          claimId: claim.id,
          delivery: attempt,
          settled: settleLost(attempt),
          channelId: null,
          provider: null,
          contentHash: null,
          beganAt: Temporal.Instant.from(attempt.began_at),
        }));
        if (outcomes.length > 0) await client.query(outcomeStatement(outcomes, now));
        // Whoever would have done it after the last outcome is gone.
        await client.query({ ...recording.skipCancelled, values: [claim.job_ids, now.toString()] });
        const { rows: jobs } = await client.query<{ workspace_id: string }>({
          ...recording.releaseJobs,
          values: [claim.id, now.toString()],
        });
        await client.query(recording.tellScreens(jobs.map((job) => job.workspace_id)));
        await client.query('commit');
        return { jobs: jobs.length, attempts: attempts.length };
      });
    },

    async withoutNext({ after, now, only }) {
      const statement = only === 'paused' ? claiming.pausedWithoutNext : claiming.everyWithoutNext;
      const { rows } = await pool.query<BareReminder>({ ...statement, values: [now.toString(), after] });
      return rows;
    },

    async plan(successors) {
      if (successors.length === 0) return;
      await inOneTransaction(pool, async (client) => {
        const [, { rowCount }] = await Promise.all([
          client.query('begin'),
          client.query(successorStatement(successors)),
        ]);
        if (rowCount !== 0) await client.query(recording.tellScreens(successors.map(({ workspaceId }) => workspaceId)));
        await client.query('commit');
      });
    },
  };
}

/** `work` begins and commits; whatever it throws costs the connection, whose state nobody knows then. */
async function inOneTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    const result = await work(client);
    isBroken = false;
    return result;
  } finally {
    client.release(isBroken);
  }
}

function claimStatement({ claimId, now, order, limit, except }: ClaimRequest) {
  const values = [now.toString(), claimId, limit];
  return order.by === 'due'
    ? { ...claiming.claimInOrder, values }
    : { ...claiming.claimInTurn, values: [...values, except, order.perWorkspace] };
}

type ReminderPart = { id: string } & Pick<
  ClaimedJob,
  'reminder_status' | 'reminder_revision' | 'schedule_config' | 'content' | 'metadata'
>;

async function withFreshReminders(client: PoolClient, jobs: ClaimedJob[]): Promise<ClaimedJob[]> {
  const stale = jobs.filter((job) => job.reminder_revision !== null && job.reminder_revision < job.revision);
  if (stale.length === 0) return jobs;
  const { rows } = await client.query<ReminderPart>({
    ...claiming.reminderOf,
    values: [stale.map((job) => job.workspace_id), stale.map((job) => job.reminder_id)],
  });
  const fresh = new Map(rows.map(({ id, ...part }) => [id, part]));
  return jobs.map((job) => (stale.includes(job) ? { ...job, ...fresh.get(job.reminder_id ?? '') } : job));
}

function foundBy(client: PoolClient, { jobs, now }: { jobs: ClaimedJob[]; now: Temporal.Instant }): Found {
  const workspaceIds = [...new Set(jobs.map((job) => job.workspace_id))];
  return {
    jobs,
    async workspaces(limitedTiers) {
      const month = monthOf(now);
      const [, { rows: facts }, { rows: channels }] = await Promise.all([
        limitedTiers.length > 0 && client.query({ ...claiming.lockUsage, values: [workspaceIds, month, limitedTiers] }),
        client.query<WorkspaceFacts>({ ...claiming.workspaceFacts, values: [workspaceIds, month] }),
        client.query<ChannelRow>({ ...claiming.channelsOf, values: [workspaceIds] }),
      ]);
      return { facts, channels };
    },
    suppressed: (recipients) => suppressedAmong(client, recipients),
    contacts: (asked) => contactsAmong(client, asked),
    async ledger(again) {
      const { rows } = await client.query<LedgerRow>({
        ...claiming.ledgerOf,
        values: [plainColumn(again, (job) => job.id), plainColumn(again, (job) => job.scheduled_for)],
      });
      return rows;
    },
  };
}

async function suppressedAmong(
  db: Pool | PoolClient,
  recipients: Parameters<Found['suppressed']>[0],
): Promise<Set<string>> {
  const { rows } = await db.query<{ workspaceId: string; channel: string; key: string }>({
    ...claiming.suppressedAmong,
    values: [
      plainColumn(recipients, (row) => row.workspaceId),
      plainColumn(recipients, (row) => row.channel),
      recipients.map((row) => row.key),
    ],
  });
  return new Set(rows.map(suppressionKey));
}

async function contactsAmong(
  client: PoolClient,
  asked: Parameters<Found['contacts']>[0],
): Promise<Map<string, KnownContact>> {
  const { rows } = await client.query<KnownContact & { workspace_id: string; key: string }>({
    ...claiming.contactsAmong,
    values: [plainColumn(asked, (one) => one.workspaceId), asked.map((one) => one.key)],
  });
  return new Map(
    rows.map(({ workspace_id: workspaceId, key, ...contact }) => [keyInWorkspace(workspaceId, key), contact]),
  );
}

async function endedAmong(
  pool: Pool,
  { job, chosen }: { job: HeldJob; chosen: readonly LiveDelivery[] },
): Promise<EndedRow[]> {
  const values = [
    job.id,
    job.scheduledFor,
    plainColumn(chosen, (one) => one.channel),
    chosen.map((one) => one.recipient),
  ];
  return (await pool.query<EndedRow>({ ...claiming.endedAmong, values })).rows;
}

/** The first day of the instant's month in UTC, as the usage counts. */
const monthOf = (now: Temporal.Instant) => `${now.toString().slice(0, 7)}-01`;

function claimWrites(claim: Claim, request: ClaimRequest) {
  const begun = claim.started.flatMap(({ run, begun: deliveries }) =>
    deliveries.map((one) => [one.id, run.job.id, one.channel, one.recipient, one.recipient_name]),
  );
  const now = request.now.toString();
  const writes: QueryConfig<unknown[]>[] = [
    {
      ...claiming.insertClaim,
      values: [
        claim.id,
        request.worker,
        request.leaseUntil.toString(),
        plainColumn(claim.started, ({ run }) => run.job.id),
        JSON.stringify(begun),
        now,
      ],
    },
  ];
  if (claim.successors.length > 0) writes.push(successorStatement(claim.successors));
  if (claim.rows.length > 0) writes.push(newRowsStatement(claim.rows, now));
  if (claim.closed.length > 0) writes.push(closedRowsStatement(claim.closed, now));
  if (claim.postponed.length > 0) writes.push(postponedRowsStatement(claim.postponed));
  if (claim.extended.length > 0) writes.push(extendStatement(claim.extended));
  if (claim.notices.length > 0) writes.push(noticesStatement(claim.notices, now));
  if (claim.usage.length > 0) {
    const values = [
      claim.usage.map((one) => one.workspaceId),
      monthOf(request.now),
      claim.usage.map((one) => one.occurrences),
    ];
    writes.push({ ...claiming.countUsage, values });
  }
  return writes;
}

const successorStatement = (successors: readonly Successor[]) => ({
  ...claiming.insertSuccessors,
  values: [
    plainColumn(successors, (one) => one.workspaceId),
    plainColumn(successors, (one) => one.reminderId),
    successors.map((one) => one.name),
    plainColumn(successors, (one) => one.at),
    plainColumn(successors, (one) => one.maxAttempts),
    plainColumn(successors, (one) => one.revision),
  ],
});

const noticesStatement = (notices: Claim['notices'], now: string) => ({
  ...claiming.insertNotices,
  values: [
    notices.map((one) => one.workspaceId),
    notices.map((one) => one.jobId),
    notices.map((one) => one.name),
    notices.map((one) => one.scheduledFor),
    notices.map((one) => one.timezone),
    notices.map((one) => one.reason),
    now,
  ],
});

const newRowsStatement = (rows: Claim['rows'], now: string) => ({
  ...claiming.insertRows,
  values: [
    plainColumn(rows, (row) => row.id),
    plainColumn(rows, (row) => row.job.workspace_id),
    plainColumn(rows, (row) => row.job.id),
    plainColumn(rows, (row) => row.job.scheduled_for),
    plainColumn(rows, (row) => row.channel),
    rows.map((row) => row.recipient),
    rows.map((row) => row.recipient_name),
    plainColumn(rows, (row) => row.status),
    rows.map((row) => row.reason),
    plainColumn(rows, (row) => row.next_attempt_at),
    now,
  ],
});

const postponedRowsStatement = (rows: Claim['postponed']) => ({
  ...claiming.postponeRows,
  values: [
    plainColumn(rows, (row) => row.job.id),
    plainColumn(rows, (row) => row.job.scheduled_for),
    plainColumn(rows, (row) => row.channel),
    rows.map((row) => row.recipient),
    plainColumn(rows, (row) => row.at),
    rows.map((row) => row.reason),
  ],
});

const extendStatement = (jobs: Claim['extended']) => ({
  ...claiming.extendJobs,
  values: [plainColumn(jobs, (one) => one.jobId), plainColumn(jobs, (one) => one.expiresAt)],
});

const closedRowsStatement = (rows: Claim['closed'], now: string) => ({
  ...claiming.closeRows,
  values: [
    plainColumn(rows, (row) => row.job.id),
    plainColumn(rows, (row) => row.job.scheduled_for),
    plainColumn(rows, (row) => row.channel),
    rows.map((row) => row.recipient),
    plainColumn(rows, (row) => row.status),
    rows.map((row) => row.reason),
    now,
  ],
});

async function record(pool: Pool, batch: RecordBatch): Promise<void> {
  const now = batch.now.toString();
  await inOneTransaction(pool, async (client) => {
    const [, , finished] = await Promise.all([
      client.query('begin'),
      batch.outcomes.length > 0 && client.query(outcomeStatement(batch.outcomes, batch.now)),
      // Locks the jobs in the order in which people's acts do: else they could wait for us, and we for them.
      batch.finishes.length > 0 &&
        client.query<{ id: string }>(
          finishStatement(
            batch.finishes.toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1)),
            now,
          ),
        ),
      batch.endedClaims.length > 0 && client.query({ ...recording.endClaims, values: [batch.endedClaims] }),
      client.query(recording.tellScreens(batch.workspaceIds)),
      client.query('commit'),
    ]);
    const ended = new Set(finished ? finished.rows.map((row) => row.id) : []);
    const others = batch.finishes.filter(({ jobId }) => !ended.has(jobId)).map(({ jobId }) => jobId);
    // Where this fails the batch is tried again: what it has written already stays as it is.
    if (others.length === 0) return;
    const { rowCount } = await client.query({ ...recording.skipCancelled, values: [others, now] });
    if (rowCount !== 0) await client.query(recording.tellScreens(batch.workspaceIds));
  });
}

const outcomeStatement = (rows: readonly OutcomeRow[], now: Temporal.Instant) => ({
  ...recording.recordOutcomes,
  values: [
    now.toString(),
    plainColumn(rows, ({ delivery }) => delivery.id),
    plainColumn(rows, ({ job }) => job.id),
    plainColumn(rows, ({ delivery }) => delivery.channel),
    rows.map(({ delivery }) => delivery.recipient),
    rows.map(({ delivery }) => delivery.recipient_name),
    plainColumn(rows, ({ delivery }) => delivery.attempts),
    plainColumn(rows, ({ settled }) => settled.status),
    rows.map(({ settled }) => settled.reason),
    plainColumn(rows, ({ channelId }) => channelId),
    plainColumn(rows, ({ provider }) => provider),
    rows.map(({ settled }) => settled.receipt),
    rows.map(({ settled }) => settled.answer),
    plainColumn(rows, ({ contentHash }) => contentHash),
    plainColumn(rows, ({ beganAt }) => beganAt?.toString() ?? null),
    plainColumn(rows, ({ settled }) => settled.nextAttemptAt?.toString() ?? null),
    plainColumn(rows, ({ settled }) => (settled.isUnknown ? 1 : 0)),
    plainColumn(rows, ({ claimId }) => claimId),
  ],
});

const finishStatement = (rows: RecordBatch['finishes'], now: string) => ({
  ...recording.finishJobs,
  values: [
    plainColumn(rows, (row) => row.jobId),
    plainColumn(rows, (row) => row.claimId),
    plainColumn(rows, (row) => row.status),
    plainColumn(rows, (row) => row.runAt?.toString() ?? null),
    rows.map((row) => row.message),
    plainColumn(rows, (row) => row.startedAt.toString()),
    rows.map((row) => (row.logs === null ? null : JSON.stringify(row.logs))),
    now,
    plainColumn(rows, (row) => row.ifStopped),
  ],
});
