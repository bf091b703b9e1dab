import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { bucketOf, latenessBounds, responseBounds } from '#domain/histogram.ts';
import type { DeliveryDay, MinuteKind } from '#features/metrics/minutes.db.ts';
import type { Clock } from '#platform/clock.ts';

export const threads = ['main', 'deliveries'] as const;
export type Thread = (typeof threads)[number];
export type ProcessRole = 'web' | 'worker' | 'all';

/** The final outcomes of a delivery. */
const outcomes = ['accepted', 'failed', 'skipped', 'unknown'] as const;
export type DeliveryOutcome = (typeof outcomes)[number];

export type RequestAnswered = { method: string; route: string; status: number; seconds: number };
/** `dueAt`: the ISO instant for which it was meant, in UTC. */
export type DeliveryEnded = { channel: string; status: string; dueAt: string; isTest: boolean };

/** What was counted since the last write, to be added to what all threads have counted. */
export type Increments = {
  minutes: { minute: string; kind: MinuteKind; counts: number[] }[];
  days: DeliveryDay[];
};

type PoolCounts = { totalCount: number; idleCount: number; waitingCount: number };

const minuteMs = 60_000;

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
    /** Free and total bytes of the disk that holds DATA_DIR; the least of all processes counts. */
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
    /** Counts from nothing again: what was counted has been added to the sum of ended threads. */
    reset: () => registry.resetMetrics(),
  };
}

/** What is shown per minute and per day is added up beside the registry, which knows no time. */
function createIncrements(clock: Pick<Clock, 'epochMs'>) {
  let minutes = new Map<string, { minute: number; kind: MinuteKind; counts: number[] }>();
  let days = new Map<string, DeliveryDay>();

  function addTo(kind: MinuteKind, { minute, index, by }: { minute: number; index: number; by: number }): void {
    const key = `${minute} ${kind}`;
    let known = minutes.get(key);
    if (known === undefined) minutes.set(key, (known = { minute, kind, counts: [] }));
    while (known.counts.length <= index) known.counts.push(0);
    known.counts[index] = (known.counts[index] ?? 0) + by;
  }

  function addDay(day: string, { channel, outcome, count }: Omit<DeliveryDay, 'day'>): void {
    const key = `${day} ${channel} ${outcome}`;
    const known = days.get(key);
    if (known === undefined) days.set(key, { day, channel, outcome, count });
    else known.count += count;
  }

  return {
    add: (kind: MinuteKind, index: number) =>
      addTo(kind, { minute: Math.floor(clock.epochMs() / minuteMs), index, by: 1 }),
    addDay,
    take(): Increments {
      const taken = {
        minutes: [...minutes.values()].map(({ minute, ...rest }) => ({
          minute: new Date(minute * minuteMs).toISOString(),
          ...rest,
        })),
        days: [...days.values()],
      };
      minutes = new Map();
      days = new Map();
      return taken;
    },
    /** What could not be written is written with what follows. */
    giveBack(taken: Increments) {
      for (const { minute, kind, counts } of taken.minutes)
        for (const [index, by] of counts.entries())
          addTo(kind, { minute: Math.floor(Date.parse(minute) / minuteMs), index, by });
      for (const { day, ...count } of taken.days) addDay(day, count);
    },
  };
}

/** Processors, memory and the event loop. Of what belongs to the process and not to a thread, the main thread tells. */
function watchUsage({ role, thread, registers }: { role: ProcessRole; thread: Thread; registers: Registry[] }) {
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  let used = process.cpuUsage();
  let usedAt = performance.now();
  /** Since the last reading. */
  let latest = { cpu: 0, memoryBytes: 0, eventLoopDelayMs: 0 };

  const heap = new Gauge({
    name: 'cuebird_heap_used_bytes',
    help: 'Heap in use',
    labelNames: ['role', 'thread'] as const,
    registers,
  });
  const delay = new Gauge({
    name: 'cuebird_event_loop_delay_seconds',
    help: 'The 99th percentile of the delay of the event loop in the last 15 seconds',
    labelNames: ['role', 'thread'] as const,
    aggregator: 'max',
    registers,
  });
  const isMain = thread === 'main';
  const cpu = isMain
    ? new Counter({
        name: 'cuebird_process_cpu_seconds_total',
        help: 'Processor time used',
        labelNames: ['role'] as const,
        registers,
      })
    : null;
  const memory = isMain
    ? new Gauge({
        name: 'cuebird_process_resident_memory_bytes',
        help: 'Resident memory',
        labelNames: ['role'] as const,
        registers,
      })
    : null;

  return {
    /** Reads what was used since the last reading, into the figures too. */
    read(): typeof latest {
      const now = performance.now();
      const { user, system } = process.cpuUsage();
      const micros = user + system - (used.user + used.system);
      const { rss, heapUsed } = process.memoryUsage();
      // Nanoseconds, less the resolution at which it looks.
      const delayMs = Math.max(0, loop.percentile(99) / 1e6 - 20);
      loop.reset();
      latest = {
        cpu: now > usedAt ? micros / 1_000 / (now - usedAt) : 0,
        memoryBytes: rss,
        eventLoopDelayMs: Number.isFinite(delayMs) ? delayMs : 0,
      };
      used = { user, system };
      usedAt = now;
      cpu?.inc({ role }, micros / 1e6);
      memory?.set({ role }, rss);
      heap.set({ role, thread }, heapUsed);
      delay.set({ role, thread }, latest.eventLoopDelayMs / 1_000);
      return latest;
    },
    stop: () => loop.disable(),
  };
}
