import { type Profiler, Session } from 'node:inspector/promises';
import { type CodePart, codeParts, partOf } from './code-parts.ts';

export type PartTime = { part: CodePart | 'other threads of the process'; ms: number };

/** As with `node --cpu-prof`. Each sample costs the process up to 50 µs, mostly in a thread of the profiler. */
const samplingMicros = 1_000;

/** Samples this thread until `close`, which resolves to its processor time by part. */
export async function openCpuProfile(): Promise<{ close(): Promise<PartTime[]> }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: samplingMicros });
  await session.post('Profiler.start');
  const [ofThread, ofProcess] = [process.threadCpuUsage(), process.cpuUsage()];
  return {
    async close() {
      const threadMs = msOf(process.threadCpuUsage(ofThread));
      const processMs = msOf(process.cpuUsage(ofProcess));
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      // Samples also count the time in which the thread was not given a processor.
      const sampled = sampledIn(profile);
      const all = [...sampled.values()].reduce((sum, micros) => sum + micros, 0);
      return [
        ...codeParts.map((part) => ({ part, ms: ((sampled.get(part) ?? 0) / all) * threadMs })),
        { part: 'other threads of the process', ms: Math.max(0, processMs - threadMs) },
      ];
    },
  };
}

const msOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

/** The sampled microseconds of each part. */
function sampledIn({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<CodePart, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const parts = new Map<number, CodePart | null>();
  const partOfNode = (id: number) => {
    const stack = [];
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
      const node = byId.get(at);
      if (node !== undefined) stack.push(node.callFrame);
    }
    return partOf(stack);
  };
  const micros = new Map<CodePart, number>();
  for (const [at, id] of samples.entries()) {
    if (!parts.has(id)) parts.set(id, partOfNode(id));
    const part = parts.get(id) ?? null;
    // A delta is the time before its sample, so that the next one belongs to it.
    if (part !== null) micros.set(part, (micros.get(part) ?? 0) + (timeDeltas[at + 1] ?? 0));
  }
  return micros;
}
