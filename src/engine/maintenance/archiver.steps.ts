import type { PoolClient } from 'pg';
import * as sql from '#engine/maintenance/archiver.sql.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';

/** One kind of clean-up. Returns how many rows it changed. */
export type Step = (work: Work) => Promise<number>;

type Work = { client: PoolClient; clock: Clock; signal: AbortSignal; log: Pick<Log, 'warn'> };

/** The setting says: "Automatically archive completed jobs after 30 days." */
const archivedAfterDays = 30;

/** For how long rows are kept that no setting of a workspace covers. */
const kept = {
  /** How long a deleted reminder can be restored. */
  deletedRemindersDays: 1,
  /** For how long a repeated request (by its idempotency key) gets its first response. */
  requestsDays: 7,
  actsDays: 400,
  /** How long a repeated report of a provider is recognised. */
  receivedReportsDays: 400,
  sentCountsDays: 14,
  supportRequestsDays: 365,
  /** For how long messages of the sandbox are kept. */
  messagesDays: 30,
  messagesOfWorkspace: 5_000,
  emptyMonthsDays: 62,
};

const monthsAhead = 4;

/** Rows per transaction: a few milliseconds each, so that nothing waits long for its locks. */
const batch = 500;
const page = 1_000;
/** Fewer at a time, because a job of a deleted workspace may have thousands of recipients. */
const workspaceBatch = 100;

/** Creates the missing partitions for last month, this month and the next four. */
export const makeMonths: Step = async ({ client, clock, signal }) => {
  const first = dayOf(clock.now()).with({ day: 1 }).subtract({ months: 1 });
  let made = 0;
  for (const parent of ['deliveries', 'job_executions']) {
    for (let month = 0; month <= monthsAhead + 1 && !signal.aborted; month += 1) {
      const values = [parent, first.add({ months: month }).toString()];
      const { rows } = await client.query<{ made: boolean }>(sql.makeMonth, values);
      if (rows[0]?.made === true) made += 1;
    }
  }
  return made;
};

export const archiveJobs: Step = async (work) => {
  const { client, clock } = work;
  const { rows: workspaces } = await client.query<{ id: string }>(sql.workspacesThatArchive);
  const until = daysAgo(clock, archivedAfterDays);
  let archived = 0;
  for (const { id } of workspaces) {
    let after = nilUuid;
    await inBatches(work, async () => {
      const values = [id, after, firstIdOf(until), until.toString(), page, clock.now().toString()];
      const { rows } = await client.query<{ seen: number; last: string; archived: number }>(sql.archiveSome, values);
      archived += rows[0]?.archived ?? 0;
      after = rows[0]?.last ?? after;
      return rows[0]?.seen === page;
    });
  }
  return archived;
};

/**
 * The lowest version-7 UUID of an instant (RFC 9562, section 5.7). The archiver scans by id, which grows with time: an index on
 * `completed_at` would end the updates of `jobs` within their page (HOT).
 */
function firstIdOf(instant: Temporal.Instant): string {
  const hex = instant.epochMilliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Deletes jobs older than the workspace's `retentionDays`. Deliveries and executions go with their jobs, events after them. */
export const deleteOldJobs: Step = async (work) => {
  const { client, clock } = work;
  const { rows: workspaces } = await client.query<{ id: string; days: number }>(sql.workspacesWithRetention);
  let deleted = 0;
  for (const { id, days } of workspaces) {
    const before = daysAgo(clock, days).toString();
    let from = '-infinity';
    await inBatches(work, async () => {
      const values = [id, from, before, batch];
      const { rows } = await client.query<{ gone: number; last: string | null }>(sql.deleteSome, values);
      deleted += rows[0]?.gone ?? 0;
      from = rows[0]?.last ?? from;
      return rows[0]?.gone === batch;
    });
    deleted += await deleteAll(work, { text: sql.deleteOldEvents, values: [id, before] });
  }
  return deleted;
};

export const deleteExpired: Step = async (work) => {
  const before = (days: number) => daysAgo(work.clock, days).toString();
  const statements = [
    { text: sql.purgeDeletedReminders, values: [before(kept.deletedRemindersDays)] },
    { text: sql.deleteExpired, values: ['idempotency_keys', before(kept.requestsDays)] },
    { text: sql.deleteExpired, values: ['contact_import_changes', before(kept.requestsDays)] },
    { text: sql.deleteExpired, values: ['suppressions', before(0)] },
    { text: sql.deleteExpired, values: ['sent_counts', before(kept.sentCountsDays)] },
    { text: sql.deleteExpired, values: ['auth_sessions', before(0)] },
    { text: sql.deleteExpired, values: ['auth_verifications', before(0)] },
    { text: sql.deleteExpired, values: ['auth_email_changes', before(0)] },
    { text: sql.deleteExpired, values: ['request_counts', before(0)] },
    { text: sql.deleteOldSupportRequests, values: [before(kept.supportRequestsDays)] },
    { text: sql.deleteOldActs, values: [before(kept.actsDays)] },
    { text: sql.deleteExpired, values: ['received_reports', before(kept.receivedReportsDays)] },
    { text: sql.deleteOldMessages, values: [before(kept.messagesDays)] },
    { text: sql.deleteMessagesBeyond, values: [kept.messagesOfWorkspace] },
  ];
  let gone = 0;
  for (const statement of statements) gone += await deleteAll(work, statement);
  return gone + (await deleteUnusedPayloads(work));
};

/** Deletes event payloads after the last job that needs them. */
async function deleteUnusedPayloads(work: Work): Promise<number> {
  let after = nilUuid;
  let gone = 0;
  await inBatches(work, async () => {
    const { rows } = await work.client.query<{ seen: number; last: string | null; gone: number }>(
      sql.deleteUnusedPayloads,
      [after, page],
    );
    gone += rows[0]?.gone ?? 0;
    after = rows[0]?.last ?? after;
    return rows[0]?.seen === page;
  });
  return gone;
}

/**
 * Deletes what belongs to workspaces that nobody has restored, and to demos that are over, some rows at a time: each sweep continues the last. One
 * that cannot be deleted is logged, and does not keep others from being deleted.
 */
export const deleteWorkspaces: Step = async (work) => {
  const { client, clock, log } = work;
  await deleteAll(work, { text: sql.endDemos, values: [clock.now().toString()] });
  const { rows: workspaces } = await client.query<{ id: string; name: string; is_demo: boolean }>(
    sql.workspacesToDelete,
    [clock.now().toString()],
  );
  let deleted = 0;
  for (const { id, name, is_demo: isDemo } of workspaces) {
    try {
      await inBatches(work, async () => {
        const values = [id, workspaceBatch, name, isDemo];
        const { rows } = await client.query<{ more: boolean | null }>(sql.deleteWorkspaceSome, values);
        if (rows[0]?.more === false) deleted += 1;
        return rows[0]?.more === true;
      });
    } catch (error) {
      log.warn({ workspaceId: id, error: String(error) }, 'a workspace was not deleted; the next sweep tries again');
    }
  }
  return deleted;
};

export const dropEmptyMonths: Step = async ({ client, clock }) => {
  const before = dayOf(daysAgo(clock, kept.emptyMonthsDays)).toString();
  const { rows } = await client.query<{ dropped: number }>(sql.dropEmptyMonths, [before]);
  return rows[0]?.dropped ?? 0;
};

/** Repeats a statement, whose last parameter is its row limit, until it finds fewer rows. */
async function deleteAll(work: Work, { text, values }: { text: string; values: unknown[] }): Promise<number> {
  let total = 0;
  await inBatches(work, async () => {
    const { rows } = await work.client.query<{ gone: number }>(text, [...values, batch]);
    const gone = rows[0]?.gone ?? 0;
    total += gone;
    return gone === batch;
  });
  return total;
}

/** Rests after each batch for as long as the batch took, so that sending gets at least half of the database's time. */
async function inBatches({ clock, signal }: Work, next: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const began = clock.now();
    if (!(await next())) return;
    await clock.sleepUntil(clock.now().add(clock.now().since(began)), signal);
  }
}

const daysAgo = (clock: Clock, days: number) => clock.now().subtract({ hours: 24 * days });
const dayOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO('UTC').toPlainDate();
