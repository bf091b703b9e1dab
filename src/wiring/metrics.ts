import { hostname } from 'node:os';
import { reportConnectionSum } from '#features/metrics/connection-sum.service.ts';
import { type Heartbeat, startHeartbeat } from '#features/metrics/heartbeat.service.ts';
import { createMetrics, type Metrics, type Thread } from '#features/metrics/metrics.service.ts';
import { outboundRulesHash, reportOutboundRules } from '#features/metrics/outbound-rules.service.ts';
import { readDisk } from '#features/metrics/state.service.ts';
import type { Config } from '#platform/config.ts';
import { version } from '#version.ts';
import type { Runtime } from './runtime.ts';

/** Opens the figures of this thread; each thread of a process counts its own. */
export async function openMetrics(
  { config, log, stack, database, clock }: Runtime,
  { processId, thread, openDeliveries }: { processId: string; thread: Thread; openDeliveries?: () => number },
): Promise<{ metrics: Metrics; heartbeat: Heartbeat }> {
  const role = roleOf(config);
  const metrics = createMetrics({ role, thread, clock });
  metrics.watchPools({ app: database.appPool, engine: database.engine, auth: database.auth });
  metrics.watchClock(clock.offsetMs);
  if (thread === 'main') metrics.watchDisk(() => readDisk(config.DATA_DIR));
  if (openDeliveries !== undefined) metrics.watchCount('open_deliveries', openDeliveries);
  const heartbeat = await startHeartbeat({
    pool: database.engine,
    clock,
    log,
    metrics,
    process: {
      id: processId,
      role,
      version,
      host: hostname(),
      pid: process.pid,
      connections: config.DATABASE_CONNECTIONS,
      outbound: outboundRulesHash(config),
      startedAt: Temporal.Instant.fromEpochMilliseconds(Math.round(performance.timeOrigin)),
    },
  });
  stack.add('the figures', () => heartbeat.stop());
  if (thread === 'main') {
    await reportConnectionSum({ pool: database.engine, clock, log });
    await reportOutboundRules({ pool: database.engine, clock, log });
  }
  return { metrics, heartbeat };
}

const roleOf = ({ roles }: Config) =>
  roles.includes('web') ? (roles.includes('worker') ? ('all' as const) : ('web' as const)) : ('worker' as const);
