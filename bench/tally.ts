import { createServer } from 'node:http';

/** What a sink received since the last report, and its CPU time. */
export type Report = { requests: number; distinct: number; cpuMs: number; latenessMs: number[] };

/** Counts what arrives, and reports on a separate port, so that a report does not delay messages. */
export function openTally() {
  let seen = new Map<string, number>();
  let latenessMs: number[] = [];
  let cpu = process.cpuUsage();

  function report(): Report {
    const requests = [...seen.values()].reduce((sum, count) => sum + count, 0);
    const { user, system } = process.cpuUsage(cpu);
    const totals = { requests, distinct: seen.size, cpuMs: (user + system) / 1000, latenessMs };
    seen = new Map();
    latenessMs = [];
    cpu = process.cpuUsage();
    return totals;
  }

  return {
    see(id: string): void {
      seen.set(id, (seen.get(id) ?? 0) + 1);
    },
    /** Records the delay of a message in milliseconds. */
    late(ms: number): void {
      latenessMs.push(ms);
    },
    /** Sends the parent process the ports of the sink and of its reports. */
    announce(port: number): void {
      const server = createServer((_, response) => response.end(JSON.stringify(report())));
      server.listen(0, '127.0.0.1', () => process.send?.({ port, reportPort: portOf(server.address()) }));
      // Ends with the parent process.
      process.on('disconnect', () => process.exit());
    },
  };
}

export function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}

/** Gets the report of a sink and resets its counts. */
export async function reportOf(reportUrl: string): Promise<Report> {
  const answer = await fetch(reportUrl);
  const report: Report = JSON.parse(await answer.text());
  return report;
}
