import { availableParallelism } from 'node:os';
import type { Pool } from 'pg';
import type { SystemState } from '#contract/admin-system.ts';
import { recentAlerts } from '#features/alerts/alerts.service.ts';
import { doRulesDiffer } from '#features/metrics/outbound-rules.service.ts';
import { listProcesses } from '#features/metrics/processes.service.ts';
import { recentDeliveries, recentLateness, recentResponses } from '#features/metrics/recent-figures.service.ts';
import { readDisk, readQueueAndDatabase } from '#features/metrics/state.service.ts';

export type SystemPorts = {
  /** Connected as the role cuebird_engine, because the figures belong to no workspace. */
  pool: Pool;
  dataDir: string;
  /** Writes the figures of the process that answers, which would otherwise be up to 15 seconds old. */
  beat: () => Promise<void>;
};

export async function systemState({ pool, dataDir, beat }: SystemPorts, now: Temporal.Instant): Promise<SystemState> {
  await beat();
  const disk = await readDisk(dataDir);
  const processes = await listProcesses(pool, now);
  return {
    ...(await readQueueAndDatabase(pool, now)),
    responses: await recentResponses(pool, now),
    lateness: await recentLateness(pool, now),
    minutes: await recentDeliveries(pool, now),
    disk: disk === null ? null : { free_bytes: disk.freeBytes, size_bytes: disk.sizeBytes },
    processors: availableParallelism(),
    processes,
    do_outbound_rules_differ: doRulesDiffer(processes),
    alerts: await recentAlerts(pool, now),
  };
}
