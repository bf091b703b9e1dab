import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Counter, type Registry } from 'prom-client';

/** Measures processors, memory and the event loop of a thread. Figures of the whole process come from the main thread only. */
export function watchUsage({ role, thread, registers }: { role: string; thread: string; registers: Registry[] }) {
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  let used = process.cpuUsage();
  let usedAt = performance.now();
  /** The usage at the last reading. */
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
    /** Measures the usage since the last reading, and sets the gauges. */
    read(): typeof latest {
      const now = performance.now();
      const { user, system } = process.cpuUsage();
      const micros = user + system - (used.user + used.system);
      const { rss, heapUsed } = process.memoryUsage();
      // From nanoseconds, less the 20 ms at which the histogram samples.
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
