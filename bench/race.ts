import { type ContenderName, contenderOf, type Fact, type Track } from './contender.ts';
import { openPostgresCpu } from './postgres-cpu.ts';
import { type Report, reportOf } from './tally.ts';

/**
 * Runs one contender in a separate process with its own heap and compiled code. A smaller run warms it up; the result is sent to the
 * parent.
 */
export type Start = Track & { name: ContenderName; n: number; reportUrl: string };

export type Result = {
  title: string;
  n: number;
  ms: number;
  facts: Fact[];
  cpuMs: number;
  postgresMs: number | null;
  sink: Report;
};

async function race({ name, n, reportUrl, ...track }: Start): Promise<Result> {
  const { title, open } = await contenderOf(name);
  const contender = await open(track);
  const warmUp = Math.min(10_000, Math.max(100, Math.round(n / 5)));
  await contender.prepare(warmUp);
  await contender.run(warmUp);
  await contender.prepare(n);
  await reportOf(reportUrl);
  const postgres = await openPostgresCpu(track.databaseUrl);
  const cpu = process.cpuUsage();
  const ms = await contender.run(n);
  const { user, system } = process.cpuUsage(cpu);
  const postgresMs = await postgres.spentMs();
  const sink = await reportOf(reportUrl);
  const facts = await contender.facts(warmUp + n);
  await contender.close();
  return { title, n, ms, facts, cpuMs: (user + system) / 1000, postgresMs, sink };
}

process.once('message', (start: Start) => {
  void race(start).then((result) => process.send?.(result));
});

// Ends with the parent process.
process.on('disconnect', () => process.exit());
