import { countsOf } from '#simulation/counts.ts';
import { check, checkAfterLoss } from '#simulation/check.ts';
import type { OpenBackend } from '#simulation/backend.ts';
import type { Event } from '#simulation/history.ts';
import { type Scenario, scenarioOf } from '#simulation/scenario.ts';
import type { Rows } from '#simulation/tables.ts';
import { createWorld } from '#simulation/create-world.ts';
import type { World } from '#simulation/world.ts';

export type Simulated = {
  scenario: Scenario;
  events: readonly Event[];
  rows: Rows;
  counts: ReadonlyMap<string, number>;
  /** Violated invariants, as sentences; empty when there are none. */
  faults: string[];
};

const minuteMs = 60_000;

/** Runs the engine through the seed's scenario, lets open work finish, and checks the result. */
export async function simulate(seed: number, openBackend: OpenBackend): Promise<Simulated> {
  const scenario = scenarioOf(seed);
  const world = await createWorld(scenario, openBackend);
  const { timeline, history, workers, users } = world;
  const faults: string[] = [];
  await users.begin();
  for (let count = 0; count < scenario.reminders; count += 1) await users.write();
  workers.start();
  await timeline.run(arrange(world), () => faults.push(...stateFaults(world)));
  world.calm();
  workers.recover();
  await users.restoreWorkspaces();
  faults.push(...(await settle(world)));
  const endMs = timeline.nowMs();
  let hasEnded = false;
  const ending = workers.stopAll().then(() => (hasEnded = true));
  await timeline.run(minuteMs);
  if (hasEnded) await ending;
  else faults.push('a worker that was stopped has not ended within a minute');
  if (history.counts.has('endless loops')) faults.push('a worker has called the store without end at one instant');
  const rows = await world.backend.look();
  const evidence = { scenario, events: history.events, rows, endMs };
  if (scenario.hasFailOvers) faults.push(...checkAfterLoss(evidence));
  else faults.push(...world.fences.broken, ...check(evidence));
  const counts = new Map([...history.counts, ...countsOf(evidence)]);
  return { scenario, events: history.events, rows, counts, faults: [...new Set(faults)] };
}

/** Schedules the events of the scenario. Returns how long faults last. */
function arrange(world: World): number {
  const { scenario, timeline, workers, users, userRandom, history } = world;
  const { startMs, chaosMs, gaps, actEveryMs } = scenario;
  for (const { atMs, ms, kind, isOnNextRequest } of gaps) {
    const happen = () => {
      if (kind === 'restart') return workers.restartOne();
      history.record({ kind: 'gap', what: `${kind} of ${ms / 1_000} s` });
      history.count(`${kind}s`);
      if (kind === 'outage') workers.outage(ms);
      else if (kind === 'suspend') timeline.suspend(ms);
      else timeline.leap(kind === 'leap' ? ms : -ms);
    };
    timeline.at(atMs, () => (isOnNextRequest ? world.onNextRequest(happen) : happen()));
  }
  const lasting = gaps.filter(({ kind }) => kind === 'suspend' || kind === 'outage');
  const wholeMs = lasting.reduce((sum, { ms }) => sum + ms, chaosMs);
  const acts = actEveryMs === null ? 0 : Math.round(chaosMs / actEveryMs);
  for (let count = 0; count < acts; count += 1)
    timeline.at(startMs + userRandom.between(0, wholeMs), () => void users.actSomehow());
  return wholeMs;
}

const rounds = 60;

/** Waits until all open work has ended. Sleeps until work that is far ahead. */
async function settle(world: World): Promise<string[]> {
  const { timeline, backend } = world;
  for (let round = 0; round < rounds; round += 1) {
    await timeline.run(2 * minuteMs);
    const open = openIn(await timeline.during(backend.look()), timeline.nowMs());
    if (open.claims === 0 && open.times.length === 0) return [];
    const nextMs = Math.min(...open.times);
    if (open.claims === 0 && nextMs > timeline.nowMs() + 2 * minuteMs) timeline.suspend(nextMs - timeline.nowMs());
  }
  const left = await backend.look();
  const names = left.jobs.filter(({ status }) => status === 'running' || status === 'pending').map(({ id }) => id);
  return [`after ${rounds} rounds of quiet work something is still open: ${names.join(', ')}`];
}

/** When open or due work comes up. */
function openIn(rows: Rows, nowMs: number): { claims: number; times: number[] } {
  const open = rows.jobs.filter(
    ({ status, attempts, run_at }) => status === 'pending' && (attempts > 0 || Date.parse(run_at) <= nowMs),
  );
  const running = rows.jobs.filter(({ status }) => status === 'running').length;
  return { claims: Math.max(rows.claims.length, running), times: open.map(({ run_at }) => Date.parse(run_at)) };
}

/** Checked between transactions. */
function stateFaults({ backend: { inside }, failOvers }: World): string[] {
  if (inside === null) return [];
  const { jobs, queue, claims } = inside.tables;
  const pending = [...jobs.values()].filter(({ status }) => status === 'pending');
  const isQueued = pending.every((job) => queue.has(`${job.workspace_id} ${job.run_at} ${job.id}`));
  const abandoned = [...jobs.values()].filter(
    ({ id, claim_id: claimId }) =>
      claimId !== null && !failOvers.lostClaims.has(claimId) && claims.get(claimId)?.job_ids.includes(id) !== true,
  );
  return [
    ...(isQueued && queue.size === pending.length ? [] : ['the queue does not hold just the pending jobs']),
    ...abandoned.map(({ id }) => `${id} is running, and no claim lists it`),
  ];
}
