import { createServer } from 'node:http';

/** What a sink saw since the last report, and the time it computed for it. */
export type Report = { requests: number; distinct: number; cpuMs: number; latenessMs: number[] };

/** Counts what comes, and tells on a port of its own, so that asking disturbs nobody. */
export function openTally() {
  let seen = new Map<string, number>();
  let latenessMs: number[] = [];
  let cpu = process.cpuUsage();

  function report(): Report {
    const requests = [...seen.values()].reduce((sum, count) => sum + count, 0);
    const { user, system } = process.cpuUsage(cpu);
    const told = { requests, distinct: seen.size, cpuMs: (user + system) / 1000, latenessMs };
    seen = new Map();
    latenessMs = [];
    cpu = process.cpuUsage();
    return told;
  }

  return {
    see(id: string): void {
      seen.set(id, (seen.get(id) ?? 0) + 1);
    },
    /** How long after its time something came, in milliseconds. */
    late(ms: number): void {
      latenessMs.push(ms);
    },
    /** Tells the parent where the sink listens and where its reports are. */
    announce(port: number): void {
      const server = createServer((_, response) => response.end(JSON.stringify(report())));
      server.listen(0, '127.0.0.1', () => process.send?.({ port, reportPort: portOf(server.address()) }));
      // Ends with the process that started it, however that ends.
      process.on('disconnect', () => process.exit());
    },
  };
}

export function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}

/** Asks a sink, which begins to count anew. */
export async function reportOf(reportUrl: string): Promise<Report> {
  const answer = await fetch(reportUrl);
  const report: Report = JSON.parse(await answer.text());
  return report;
}
