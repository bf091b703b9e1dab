import type { PoolClient } from 'pg';
import * as sql from '#engine/archiver.sql.ts';
import type { Clock } from '#platform/clock.ts';

/** One kind of tidying. Returns how much it found to do. */
export type Step = (work: Work) => Promise<number>;

type Work = { client: PoolClient; clock: Clock; signal: AbortSignal };

/** "Automatically archive completed jobs after 30 days." */
const archivedAfterDays = 30;

/** What no workspace decides upon. */
const kept = {
  /** A reminder that was deleted can be restored for so long. */
  deletedRemindersDays: 1,
  /** A repeated request gets its first answer for so long. */
  requestsDays: 7,
  actsDays: 400,
  /** Of the sandbox. */
  messagesDays: 30,
  messagesOfWorkspace: 5_000,
  emptyMonthsDays: 62,
};

const monthsAhead = 4;

/** Rows to a transaction: some milliseconds each, so that nobody waits behind one for long. */
const batch = 500;
const page = 1_000;

/** Makes the month before this one, this one and the next four, as far as they are not there. */
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
    let after = '00000000-0000-0000-0000-000000000000';
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

/** The lowest version-7 UUID of an instant (RFC 9562, section 5.7). */
function firstIdOf(instant: Temporal.Instant): string {
  const hex = instant.epochMilliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** By the workspace's own `retentionDays`, with their deliveries and executions; events after their jobs. */
export const deleteOldJobs: Step = async (work) => {
  const { client, clock } = work;
  const { rows: workspaces } = await client.query<{ id: string; days: number }>(sql.workspacesThatForget);
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

export const forget: Step = async (work) => {
  const before = (days: number) => daysAgo(work.clock, days).toString();
  const statements = [
    { text: sql.deleteDeletedReminders, values: [before(kept.deletedRemindersDays)] },
    { text: sql.deleteRepeatedRequests, values: [before(kept.requestsDays)] },
    { text: sql.deleteOldActs, values: [before(kept.actsDays)] },
    { text: sql.deleteOldMessages, values: [before(kept.messagesDays)] },
    { text: sql.deleteMessagesBeyond, values: [kept.messagesOfWorkspace] },
  ];
  let gone = 0;
  for (const statement of statements) gone += await deleteAll(work, statement);
  return gone;
};

export const dropEmptyMonths: Step = async ({ client, clock }) => {
  const before = dayOf(daysAgo(clock, kept.emptyMonthsDays)).toString();
  const { rows } = await client.query<{ dropped: number }>(sql.dropEmptyMonths, [before]);
  return rows[0]?.dropped ?? 0;
};

/** Runs a statement, whose last parameter is how many rows it may take, until it finds fewer. */
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

/** Rests after each batch for as long as it took: whoever sends has the database for at least half of the time. */
async function inBatches({ clock, signal }: Work, next: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const began = clock.now();
    if (!(await next())) return;
    await clock.sleepUntil(clock.now().add(clock.now().since(began)), signal);
  }
}

const daysAgo = (clock: Clock, days: number) => clock.now().subtract({ hours: 24 * days });
const dayOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO('UTC').toPlainDate();
