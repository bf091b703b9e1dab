import { countsOf } from '#testing/simulation/counts.ts';
import { check } from '#testing/simulation/check.ts';
import type { OpenGround } from '#testing/simulation/ground.ts';
import type { Event } from '#testing/simulation/history.ts';
import { type Scenario, scenarioOf } from '#testing/simulation/scenario.ts';
import type { Rows } from '#testing/simulation/tables.ts';
import { createWorld, type World } from '#testing/simulation/world.ts';

export type Simulated = {
  scenario: Scenario;
  events: readonly Event[];
  rows: Rows;
  counts: ReadonlyMap<string, number>;
  /** What must never be, in sentences; empty where all is well. */
  faults: string[];
};

const minuteMs = 60_000;

/** Runs the engine through everything that the seed holds, lets the dust settle, and looks at what became of it all. */
export async function simulate(seed: number, openGround: OpenGround): Promise<Simulated> {
  const scenario = scenarioOf(seed);
  const world = await createWorld(scenario, openGround);
  const { timeline, history, crew, crowd } = world;
  const faults: string[] = [];
  for (let count = 0; count < scenario.reminders; count += 1) await crowd.write();
  crew.start();
  await timeline.run(arrange(world), () => faults.push(...queueFaults(world)));
  world.calm();
  crew.recover();
  faults.push(...(await settle(world)));
  const endMs = timeline.nowMs();
  let hasEnded = false;
  const ending = crew.stopAll().then(() => (hasEnded = true));
  await timeline.run(minuteMs);
  if (hasEnded) await ending;
  else faults.push('a worker that was told to stop has not ended within a minute');
  if (history.counts.has('circles')) faults.push('a worker has asked for ever at one moment');
  const rows = await world.ground.look();
  const evidence = { scenario, events: history.events, rows, endMs };
  faults.push(...world.fences.broken, ...check(evidence));
  const counts = new Map([...history.counts, ...countsOf(evidence)]);
  return { scenario, events: history.events, rows, counts, faults: [...new Set(faults)] };
}

/** Sets out what will happen when. Returns how long the chaos takes. */
function arrange(world: World): number {
  const { scenario, timeline, crew, crowd, crowdRandom, history } = world;
  const { startMs, chaosMs, gaps, actEveryMs } = scenario;
  for (const { atMs, ms, kind, isAmbush } of gaps) {
    const happen = () => {
      if (kind === 'restart') return crew.restartOne();
      history.tell({ kind: 'gap', what: `${kind} of ${ms / 1_000} s` });
      history.count(`${kind}s`);
      if (kind === 'outage') crew.outage(ms);
      else if (kind === 'doze') timeline.doze(ms);
      else timeline.leap(kind === 'leap' ? ms : -ms);
    };
    timeline.at(atMs, () => (isAmbush ? world.ambush(happen) : happen()));
  }
  const lasting = gaps.filter(({ kind }) => kind === 'doze' || kind === 'outage');
  const wholeMs = lasting.reduce((sum, { ms }) => sum + ms, chaosMs);
  const acts = actEveryMs === null ? 0 : Math.round(chaosMs / actEveryMs);
  for (let count = 0; count < acts; count += 1)
    timeline.at(startMs + crowdRandom.between(0, wholeMs), () => void crowd.actSomehow());
  return wholeMs;
}

const rounds = 60;

/** Everything that has begun ends, whatever time that takes; what is far away is slept until. */
async function settle(world: World): Promise<string[]> {
  const { timeline, ground } = world;
  for (let round = 0; round < rounds; round += 1) {
    await timeline.run(2 * minuteMs);
    const open = openIn(await timeline.during(ground.look()), timeline.nowMs());
    if (open.claims === 0 && open.times.length === 0) return [];
    const nextMs = Math.min(...open.times);
    if (open.claims === 0 && nextMs > timeline.nowMs() + 2 * minuteMs) timeline.doze(nextMs - timeline.nowMs());
  }
  const left = await ground.look();
  const names = left.jobs.filter(({ status }) => status === 'running' || status === 'pending').map(({ id }) => id);
  return [`after ${rounds} rounds of quiet work something is still open: ${names.join(', ')}`];
}

/** When what has begun or is due comes up. */
function openIn(rows: Rows, nowMs: number): { claims: number; times: number[] } {
  const open = rows.jobs.filter(
    ({ status, attempts, run_at }) => status === 'pending' && (attempts > 0 || Date.parse(run_at) <= nowMs),
  );
  const running = rows.jobs.filter(({ status }) => status === 'running').length;
  return { claims: Math.max(rows.claims.length, running), times: open.map(({ run_at }) => Date.parse(run_at)) };
}

/** A job stands in the queue if and only if it is pending, at its time: looked at whenever nobody is in the middle of something. */
function queueFaults({ ground: { inside } }: World): string[] {
  if (inside === null) return [];
  const { jobs, queue } = inside.tables;
  const pending = [...jobs.values()].filter(({ status }) => status === 'pending');
  const isAsItShould = pending.every((job) => queue.has(`${job.workspace_id} ${job.run_at} ${job.id}`));
  if (isAsItShould && queue.size === pending.length) return [];
  return ['the queue does not hold just the pending jobs'];
}
