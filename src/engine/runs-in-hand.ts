import type { Pool } from 'pg';
import type { Claim } from '#engine/claim.ts';
import * as sql from '#engine/claim.sql.ts';
import type { Recorder } from '#engine/recorder.ts';
import type { ChannelRow } from '#engine/routes.ts';
import type { LiveDelivery, Run } from '#engine/run.ts';
import type { Sent } from '#engine/send.ts';
import type { Slots } from '#engine/slots.ts';
import type { Clock } from '#platform/clock.ts';

type Deps = {
  pool: Pool;
  clock: Clock;
  recorder: Recorder;
  slots: Slots;
  send(run: Run, delivery: LiveDelivery, channels: readonly ChannelRow[]): Promise<Sent>;
  /** A claim is worth its while again, or recipients that waited for a place may begin. */
  onRoom(): void;
};

/** More than this many recipients of one job begin in several steps, so that a pause is noticed between them. */
const stepSize = 256;

const keyOf = (row: { channel: string; recipient: string }) => `${row.channel} ${row.recipient}`;

/** The jobs that this worker has claimed, from their first attempt to their result. */
export function createRunsInHand({ pool, clock, recorder, slots, send, onRoom }: Deps) {
  const runs = new Map<string, Run>();
  const channelsOf = new WeakMap<Run, readonly ChannelRow[]>();

  /** Takes over a claim, with the attempts that it has begun. */
  function add({ started, channels }: Claim): void {
    for (const { run, begun } of started) {
      runs.set(run.job.id, run);
      channelsOf.set(run, channels);
      reserve(run, begun.length);
      for (const delivery of begun) start(run, delivery);
      finishIfDone(run);
    }
  }

  function reserve(run: Run, count: number): void {
    if (count === 0) return;
    run.inFlight += count;
    slots.take(run.job.workspace_id, count);
  }

  /** Into a place that was reserved for it. */
  function start(run: Run, delivery: LiveDelivery): void {
    void send(run, delivery, channelsOf.get(run) ?? []).then((sent) => {
      recorder.record(run, delivery, sent);
      const madeRoom = release(run);
      finishIfDone(run);
      if (madeRoom || run.queued.length > 0) onRoom();
    });
  }

  function release(run: Run): boolean {
    run.inFlight -= 1;
    return slots.leave(run.job.workspace_id);
  }

  function finishIfDone(run: Run): void {
    if (run.inFlight > 0 || run.queued.length > 0) return;
    runs.delete(run.job.id);
    if (!run.isLost) recorder.finish(run);
  }

  /** Begins recipients that did not fit into their claim. */
  async function startQueued(): Promise<void> {
    for (const run of runs.values()) {
      const room = Math.min(slots.roomOf(run.job.workspace_id), stepSize);
      if (run.queued.length === 0 || room <= 0) continue;
      const chosen = run.queued.splice(0, room);
      // Their places are theirs from here on: a run with nothing in flight would be taken for done while we ask.
      reserve(run, chosen.length);
      await begin(run, chosen);
    }
  }

  async function begin(run: Run, chosen: readonly LiveDelivery[]): Promise<void> {
    const begun = await askToBegin(run, chosen);
    const refused = chosen.filter((delivery) => !begun.has(keyOf(delivery)));
    for (const delivery of chosen) {
      const attempts = begun.get(keyOf(delivery));
      if (attempts !== undefined) start(run, { ...delivery, attempts });
    }
    try {
      if (refused.length > 0) await stopIfTold(run);
    } finally {
      for (const _ of refused) release(run);
      finishIfDone(run);
    }
  }

  /** The attempts that may begin; on a failure of the database everything waits in the queue as before. */
  async function askToBegin(run: Run, chosen: readonly LiveDelivery[]): Promise<Map<string, number>> {
    try {
      const { rows } = await pool.query<{ channel: string; recipient: string; attempts: number }>({
        ...sql.beginAttempts,
        values: [
          run.job.id,
          run.job.fence,
          chosen.map((one) => one.channel),
          chosen.map((one) => one.recipient),
          chosen.map((one) => one.attempts),
          clock.now().toString(),
        ],
      });
      return new Map(rows.map((row) => [keyOf(row), row.attempts]));
    } catch (error) {
      run.queued.unshift(...chosen);
      for (const _ of chosen) release(run);
      throw error;
    }
  }

  /** The job was paused, edited, cancelled or taken over: what was not begun is not sent, and says why. */
  async function stopIfTold(run: Run): Promise<void> {
    const { rows } = await pool.query<{ status: string; fence: number; stop_reason: string | null }>({
      ...sql.standOf,
      values: [run.job.id],
    });
    const stand = rows[0];
    if (stand === undefined || stand.fence !== run.job.fence || stand.status !== 'running') {
      run.queued = [];
      // A cancelled job still passes the recorder, which closes what waits; one that another worker holds does not.
      run.isLost = stand?.status !== 'cancelled';
      return;
    }
    if (stand.stop_reason === null) return;
    run.queued = [];
    const { rowCount } = await pool.query({
      ...sql.skipDeliveries,
      values: [run.job.id, run.job.scheduled_for, stand.stop_reason, clock.now().toString()],
    });
    run.tally.skipped = (run.tally.skipped ?? 0) + (rowCount ?? 0);
    run.nextAttemptAt = null;
    run.lastSkip = stand.stop_reason;
  }

  /** A job that is not ours any more is stopped. */
  async function extendLeases(leaseUntil: Temporal.Instant): Promise<void> {
    const held = [...runs.values()].filter((run) => !run.isLost);
    if (held.length === 0) return;
    const { rows } = await pool.query<{ id: string }>({
      ...sql.heartbeat,
      values: [held.map((run) => run.job.id), held.map((run) => run.job.fence), leaseUntil.toString()],
    });
    const kept = new Set(rows.map((row) => row.id));
    for (const run of held) {
      // A run finished between the two statements is not lost, just done.
      if (!kept.has(run.job.id) && runs.has(run.job.id)) await stopIfTold(run);
    }
  }

  /** What has not begun stays queued in the ledger, for the next claim to take up at once. */
  function giveBackQueued(): void {
    for (const run of runs.values()) {
      if (run.queued.length === 0) continue;
      run.queued = [];
      run.nextAttemptAt = clock.now();
      run.lastFailure ??= 'The server was stopped';
      finishIfDone(run);
    }
  }

  return { add, startQueued, extendLeases, giveBackQueued, isEmpty: () => runs.size === 0 };
}
