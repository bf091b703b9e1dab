import type { Pool } from 'pg';
import { Gauge, Registry } from 'prom-client';
import { lastBackupAt } from '#features/backups/nightly-backups.service.ts';
import { readDatabaseState } from '#features/metrics/database-state.db.ts';
import { countersOf, Families, familiesOf, printFigures } from '#features/metrics/figures.ts';
import { goneAfterMs, type Heartbeat, readRetiredFigures } from '#features/metrics/heartbeat.service.ts';
import { allFigures } from '#features/metrics/processes.db.ts';
import { listProcesses } from '#features/metrics/processes.service.ts';

type Deps = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  now: () => Temporal.Instant;
  heartbeat: Pick<Heartbeat, 'beat' | 'own'>;
};

/**
 * The figures of all processes, added up, in Prometheus' text format. Counters of ended processes stay in the sum;
 * gauges do not.
 */
export async function exposeMetrics({ pool, now, heartbeat }: Deps): Promise<string> {
  // Written first, so that another process that answers next does not report less. Where nothing can be written, an operator needs the figures most.
  const own = await heartbeat.beat().then(
    () => null,
    () => heartbeat.own(),
  );
  const aliveSince = now().subtract({ milliseconds: goneAfterMs });
  const others = (await allFigures(pool)).filter(
    (row) => row.process_id !== own?.processId || row.thread !== own.thread,
  );
  const threads = others.map(({ seen_at: seenAt, figures }) => {
    const families = Families.parse(figures);
    return Temporal.Instant.compare(seenAt, aliveSince) < 0 ? countersOf(families) : families;
  });
  if (own !== null) threads.push(own.families);
  const retired = await readRetiredFigures(pool);
  return printFigures([retired, ...threads, await familiesOf(await ofInstallation({ pool, now }))]);
}

async function ofInstallation({ pool, now }: Pick<Deps, 'pool' | 'now'>): Promise<Registry> {
  const registry = new Registry();
  const gauge = (name: string, help: string) => new Gauge({ name: `cuebird_${name}`, help, registers: [registry] });
  const state = await readDatabaseState(pool, now());
  gauge('queue_due_jobs', 'Jobs that are due and wait for a worker').set(state.queue_due);
  gauge('running_jobs', 'Jobs that a worker has claimed').set(state.running_jobs);
  gauge('database_size_bytes', 'Size of the database').set(state.size_bytes);
  gauge('database_connections', 'Connections to the database').set(state.connections);
  gauge('database_connections_max', 'Connections that the server of the database admits').set(state.max_connections);
  const backedUpAt = await lastBackupAt(pool, now());
  if (backedUpAt !== null)
    gauge('last_backup_timestamp_seconds', 'When the database was last backed up by itself').set(
      Date.parse(backedUpAt) / 1_000,
    );
  const processes = new Gauge({
    name: 'cuebird_processes',
    help: 'Processes by role and state; ended ones for an hour',
    labelNames: ['role', 'state'] as const,
    registers: [registry],
  });
  for (const { role, state: how } of await listProcesses(pool, now())) processes.inc({ role, state: how });
  return registry;
}
