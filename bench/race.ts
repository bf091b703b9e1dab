import { contenderOf, type Fact } from './contender.ts';
import { openPostgresCpu } from './postgres-cpu.ts';

/**
 * One contender in a process of its own, so that neither heap nor compiled code of another is in its way:
 * `race.ts <name> <n> <database URL> <sink URL>`. A smaller run warms it up; the result goes to the parent.
 */
export type Result = {
  title: string;
  ms: number;
  facts: Fact[];
  cpuMs: number;
  postgresMs: number | null;
  sink: Report;
};

/** What the sink saw during the timed run, and the time it computed for it. */
type Report = { requests: number; distinct: number; cpuMs: number };

const [name = '', count = '', databaseUrl = '', sinkUrl = ''] = process.argv.slice(2);

async function race(n: number): Promise<Result> {
  const { title, open } = await contenderOf(name);
  const contender = await open({ databaseUrl, sinkUrl });
  const warmUp = Math.max(100, Math.round(n / 5));
  await contender.prepare(warmUp);
  await contender.run(warmUp);
  await contender.prepare(n);
  await report();
  const postgres = await openPostgresCpu(databaseUrl);
  const cpu = process.cpuUsage();
  const ms = await contender.run(n);
  const { user, system } = process.cpuUsage(cpu);
  const postgresMs = await postgres.spentMs();
  const sink = await report();
  const facts = await contender.facts(warmUp + n);
  await contender.close();
  return { title, ms, facts, cpuMs: (user + system) / 1000, postgresMs, sink };
}

async function report(): Promise<Report> {
  const answer = await fetch(new URL('/report', sinkUrl));
  const seen: Report = JSON.parse(await answer.text());
  return seen;
}

const result = await race(Number(count));
process.send?.(result, () => process.disconnect?.());
