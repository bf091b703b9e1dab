import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { bucketOf, latenessBounds, responseBounds } from '#domain/histogram.ts';
import { createIncrements } from '#features/metrics/increments.ts';
import { watchUsage } from '#features/metrics/usage.ts';
import type { Clock } from '#platform/clock.ts';

export const threads = ['main', 'deliveries'] as const;
export type Thread = (typeof threads)[number];
export type ProcessRole = 'web' | 'worker' | 'all';

/** The final outcomes of a delivery. */
const outcomes = ['accepted', 'failed', 'skipped', 'unknown'] as const;
export type DeliveryOutcome = (typeof outcomes)[number];

export type RequestAnswered = { method: string; route: string; status: number; seconds: number };
/** `dueAt` is the ISO instant at which the message was due, in UTC. */
export type DeliveryEnded = { channel: string; status: string; dueAt: string; isTest: boolean };

type PoolCounts = { totalCount: number; idleCount: number; waitingCount: number };

/**
 * The figures of one thread of one process. Names and units follow Prometheus' conventions; a label has one of a few
 * values that the code names, never a workspace or a recipient.
 */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics({
  role,
  thread,
  clock,
}: {
  role: ProcessRole;
  thread: Thread;
  clock: Pick<Clock, 'epochMs'>;
}) {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'cuebird_http_request_duration_seconds',
    help: 'How long requests of the API took to be answered',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [...responseBounds],
    registers,
  });
  const deliveries = new Counter({
    name: 'cuebird_deliveries_total',
    help: 'Deliveries that ended, by channel and outcome',
    labelNames: ['channel', 'outcome'] as const,
    registers,
  });
  const lateness = new Histogram({
    name: 'cuebird_delivery_lateness_seconds',
    help: 'From when a message was due until its first attempt',
    buckets: [...latenessBounds],
    registers,
  });
  const signInFailures = new Counter({
    name: 'cuebird_sign_in_failures_total',
    help: 'Sign-ins and second factors that were refused',
    registers,
  });
  const counting = createIncrements(clock);
  const usage = watchUsage({ role, thread, registers });

  return {
    registry,
    thread,
    usage,
    requestAnswered({ method, route, status, seconds }: RequestAnswered) {
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
      counting.add('responses', bucketOf(responseBounds, seconds));
    },
    deliveryEnded({ channel, status, dueAt, isTest }: DeliveryEnded) {
      const outcome = outcomes.find((known) => known === status);
      if (outcome === undefined) return;
      deliveries.inc({ channel, outcome });
      if (isTest) return;
      if (outcome !== 'skipped') counting.add('deliveries', outcome === 'accepted' ? 0 : 1);
      counting.addDay(dueAt.slice(0, 10), { channel, outcome, count: 1 });
    },
    attemptBegan(late: { seconds: number }) {
      const seconds = Math.max(0, late.seconds);
      lateness.observe(seconds);
      counting.add('lateness', bucketOf(latenessBounds, seconds));
    },
    signInRefused() {
      signInFailures.inc();
      counting.add('sign_in_failures', 0);
    },
    watchPools(pools: Readonly<Record<string, PoolCounts>>) {
      const connections = new Gauge({
        name: 'cuebird_database_pool_connections',
        help: 'Connections of the pools to the database',
        labelNames: ['pool', 'state'] as const,
        registers,
        collect() {
          for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
            connections.set({ pool, state: 'idle' }, idleCount);
            connections.set({ pool, state: 'busy' }, totalCount - idleCount);
          }
        },
      });
      const waiting = new Gauge({
        name: 'cuebird_database_pool_waiting_requests',
        help: 'Work that waits for a connection to the database',
        labelNames: ['pool'] as const,
        registers,
        collect: () => {
          for (const [pool, { waitingCount }] of Object.entries(pools)) waiting.set({ pool }, waitingCount);
        },
      });
    },
    /** @param count asked whenever the figures are read */
    watchCount(what: 'client_streams' | 'open_deliveries', count: () => number) {
      const help = {
        client_streams: 'Open streams of changes to clients',
        open_deliveries: 'Deliveries of claimed jobs that have no outcome yet',
      };
      const gauge: Gauge = new Gauge({
        name: `cuebird_${what}`,
        help: help[what],
        registers,
        collect() {
          gauge.set(count());
        },
      });
    },
    /** @param offsetMs how far the clock of this process is ahead of the database's */
    watchClock(offsetMs: () => number) {
      const gauge: Gauge = new Gauge({
        name: 'cuebird_clock_offset_seconds',
        help: 'How far the clock of a process is from that of the database, either way',
        aggregator: 'max',
        registers,
        collect() {
          gauge.set(Math.abs(offsetMs()) / 1_000);
        },
      });
    },
    /** Free and total bytes of the disk that holds DATA_DIR. Of several processes the one with the least free space counts. */
    watchDisk(read: () => Promise<{ freeBytes: number; sizeBytes: number } | null>) {
      const free = new Gauge({
        name: 'cuebird_data_disk_free_bytes',
        help: 'Free space where DATA_DIR is',
        aggregator: 'min',
        registers,
        collect: async () => {
          const disk = await read();
          if (disk === null) return;
          free.set(disk.freeBytes);
          size.set(disk.sizeBytes);
        },
      });
      const size = new Gauge({
        name: 'cuebird_data_disk_size_bytes',
        help: 'Size of the disk where DATA_DIR is',
        aggregator: 'min',
        registers,
      });
    },
    takeIncrements: counting.take,
    giveBackIncrements: counting.giveBack,
    /** Starts all counters at 0 again, after they were added to the sum of ended threads. */
    reset: () => registry.resetMetrics(),
  };
}
