import type { Pool, PoolClient } from 'pg';
import * as sql from '#engine/maintenance/totaller.sql.ts';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { inTransactionOn, onConnection } from '#platform/transaction.ts';

const sweepMs = 120_000;

/** How many jobs a step takes at first, and at most; one that counts more messages than `fewMessages` is followed by a smaller one. */
const jobsOfStep = { first: 500, most: 20_000 };
const fewMessages = 20_000;

/**
 * Messages that were due within this time are counted one by one. Half of it is what triggers leave unmarked (decision 108), the other half is for
 * clocks that are set back.
 */
const youngMs = 2 * 3_600_000;
/** A single quarter may have a million messages. */
const longestStepMs = 600_000;
const quarterMs = 15 * 60_000;

export type TotallerDeps = { pool: Pool; clock: Clock; log: Log };

/** An instant, and a number below which all transactions are that wrote before it. */
type Seen = { xid: bigint; at: Temporal.Instant };

/**
 * Until when messages may be added up, as far as `observe` has seen: all transactions that wrote before some instant have ended. Later ones mark what
 * they change of an hour before it.
 */
type Horizon = { observe: (now: { at: Temporal.Instant; xmin: bigint; xid: bigint }) => Temporal.Instant | null };

export function createHorizon(): Horizon {
  let seen: Seen | null = null;
  let until: Temporal.Instant | null = null;
  return {
    observe({ at, xmin, xid }) {
      if (seen !== null && xmin >= seen.xid) {
        until = quarterOf(seen.at.subtract({ milliseconds: youngMs }));
        seen = null;
      }
      seen ??= { xid, at };
      return until;
    },
  };
}

const quarterOf = (instant: Temporal.Instant) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(instant.epochMilliseconds / quarterMs) * quarterMs);

/** Adds up the messages of all workspaces by quarters of an hour, once they are old and when they have changed, every two minutes. */
export async function runTotaller(deps: TotallerDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  const horizon = createHorizon();
  while (!signal.aborted) {
    try {
      await totalOnce(deps, { horizon, signal });
    } catch (error) {
      log.warn({ error: String(error) }, 'messages were not added up; the next sweep tries again');
    }
    await clock.sleepUntil(clock.now().add({ milliseconds: sweepMs }), signal);
  }
}

/** @returns how many messages were counted; null when another worker adds up */
export async function totalOnce(
  deps: TotallerDeps,
  { horizon, signal }: { horizon: Horizon; signal: AbortSignal },
): Promise<number | null> {
  return onConnection(deps.pool, async (client) => {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
      advisoryLocks.totaller,
    ]);
    if (rows[0]?.free !== true) return null;
    const messages = await totalAlone(client, { deps, horizon, signal });
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.totaller]);
    return messages;
  });
}

type Work = { deps: TotallerDeps; horizon: Horizon; signal: AbortSignal };

/** The workspaces take turns, a step each, so that a large one delays nobody. */
async function totalAlone(client: PoolClient, { deps, horizon, signal }: Work): Promise<number> {
  await client.query(sql.deleteMarksOfNobody);
  const until = horizon.observe(await readHorizon(client));
  if (until === null) return 0;
  const { rows } = await client.query<{ id: string }>(sql.workspacesToTotal, [until.toString()]);
  let waiting = rows.map(({ id }) => ({ id, jobs: jobsOfStep.first }));
  let total = 0;
  while (waiting.length > 0) {
    const unfinished: typeof waiting = [];
    for (const { id, jobs } of waiting) {
      if (signal.aborted) return total;
      const messages = await stepWithRest(client, { deps, signal, id, jobs, until });
      if (messages === null) continue;
      total += messages;
      const next = messages > fewMessages ? Math.floor(jobs / 2) : jobs * 2;
      unfinished.push({ id, jobs: Math.max(1, Math.min(next, jobsOfStep.most)) });
    }
    waiting = unfinished;
  }
  return total;
}

async function readHorizon(client: PoolClient) {
  const { rows } = await client.query<{ at: string; xmin: string; xid: string }>(sql.readHorizon);
  const [row] = rows;
  if (row === undefined) throw new Error('a select of the time answered no row');
  return { at: Temporal.Instant.from(row.at), xmin: BigInt(row.xmin), xid: BigInt(row.xid) };
}

type Step = { deps: TotallerDeps; signal: AbortSignal; id: string; jobs: number; until: Temporal.Instant };

/** Rests for as long as the step took, so that sending gets at least half of the database's time. A workspace that fails waits for the next sweep. */
async function stepWithRest(client: PoolClient, { deps, signal, ...step }: Step): Promise<number | null> {
  const { clock, log } = deps;
  const began = clock.now();
  try {
    return await totalSome(client, step);
  } catch (error) {
    log.warn({ workspaceId: step.id, error: String(error) }, 'the messages of a workspace were not added up');
    return null;
  } finally {
    await clock.sleepUntil(clock.now().add(clock.now().since(began)), signal);
  }
}

type Quarters = { since: string; until: string; isAgain: boolean };

/** @returns how many messages were counted; null when nothing is left to count, or the workspace is gone */
export async function totalSome(
  client: PoolClient,
  { id, jobs, until }: Pick<Step, 'id' | 'jobs' | 'until'>,
): Promise<number | null> {
  return inTransactionOn(client, async () => {
    await client.query(sql.beginProgress, [id]);
    const { rows: progress } = await client.query(sql.lockProgress, [id]);
    if (progress.length === 0) return null;
    const { rows } = await client.query<Quarters>(sql.nextQuarters, [id, until.toString(), jobs]);
    const [quarters] = rows;
    if (quarters === undefined) return null;
    const values = [id, quarters.since, quarters.until];
    await client.query(sql.deleteMarks, values);
    for (const statement of sql.deleteTotals) await client.query(statement, values);
    await client.query(`set local statement_timeout = ${longestStepMs}`);
    const adding = { text: sql.addUp, values, query_timeout: longestStepMs };
    const { rows: counted } = await client.query<{ messages: number }>(adding);
    if (!quarters.isAgain) await client.query(sql.advanceProgress, [id, quarters.until]);
    return counted[0]?.messages ?? 0;
  });
}
