import { type ContenderName, contenderOf, type Fact, type Track } from './contender.ts';
import { openPostgresCpu } from './postgres-cpu.ts';
import { openProfile, type Profile } from './profile/profile.ts';
import { type Report, reportOf } from './tally.ts';

/**
 * Runs one contender in a separate process with its own heap and compiled code. A smaller run warms it up; the result is sent to the
 * parent.
 */
export type Start = Track & { name: ContenderName; n: number; reportUrl: string; isProfiled: boolean };

export type Result = {
  title: string;
  n: number;
  ms: number;
  facts: Fact[];
  cpuMs: number;
  postgresMs: number | null;
  sink: Report;
  /** Null unless the start asks for it. */
  profile: Profile | null;
};

async function race({ name, n, reportUrl, isProfiled, ...track }: Start): Promise<Result> {
  const { title, open } = await contenderOf(name);
  const contender = await open(track);
  const warmUp = Math.min(10_000, Math.max(100, Math.round(n / (isProfiled ? 2 : 5))));
  await contender.prepare(warmUp);
  await contender.run(warmUp);
  await contender.prepare(n);
  await reportOf(reportUrl);
  const profiling = isProfiled ? await openProfile(track.databaseUrl) : null;
  const postgres = await openPostgresCpu(track.databaseUrl);
  const cpu = process.cpuUsage();
  const ms = await contender.run(n);
  const { user, system } = process.cpuUsage(cpu);
  const postgresMs = await postgres.spentMs();
  const profile = (await profiling?.close()) ?? null;
  const sink = await reportOf(reportUrl);
  const facts = await contender.facts(warmUp + n);
  await contender.close();
  return { title, n, ms, facts, cpuMs: (user + system) / 1000, postgresMs, sink, profile };
}

process.once('message', (start: Start) => {
  void race(start).then((result) => process.send?.(result));
});

// Ends with the parent process.
process.on('disconnect', () => process.exit());
