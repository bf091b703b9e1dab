import { components, historyDays } from '#contract/status.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { addMinute, forgetDays } from '#features/status/health.db.ts';
import { type HealthPorts, readHealth } from '#features/status/health.service.ts';

type Deps = Omit<HealthPorts, 'now'> & { clock: Clock; log: Log };

const minuteMs = 60_000;
/** How long after the beginning of a minute it is counted: the clocks of several machines differ a little. */
const offsetMs = 2_000;

/** Records once a minute, in every process, the state of each component. */
export function startHealthWatch({ clock, log, ...ports }: Deps): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const done = run();

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await look().catch((error: unknown) =>
        log.warn({ error: String(error) }, 'counting a minute of the status failed'),
      );
      await clock.sleepUntil(minuteOf(clock.now()).add({ milliseconds: minuteMs + offsetMs }), stopped.signal);
    }
  }

  async function look(): Promise<void> {
    const now = clock.now();
    const health = await readHealth({ ...ports, now: () => now });
    const of = components.map((component) => {
      const { state } = health[component];
      return { component, isOperational: state === 'operational', isDegraded: state === 'degraded' };
    });
    await addMinute(ports.pool, { minute: minuteOf(now), of });
    await forgetDays(ports.pool, {
      before: now
        .subtract({ hours: 24 * historyDays })
        .toString()
        .slice(0, 10),
    });
  }

  return {
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

const minuteOf = (at: Temporal.Instant) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at.epochMilliseconds / minuteMs) * minuteMs);
