import type { Pool } from 'pg';
import type { InstallationSettings } from '#contract/admin-settings.ts';
import type { Component, Status, Trouble } from '#contract/status.ts';
import { troublesOf } from '#features/alerts/alert-watch.service.ts';
import { listProcesses } from '#features/metrics/processes.service.ts';
import { readInstallationState } from '#features/metrics/state.service.ts';

export type Health = Record<Component, Pick<Status['components'][number], 'state' | 'trouble'>>;

export type HealthPorts = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  now: () => Temporal.Instant;
  dataDir: string;
  /** Whether deliveries are paused. */
  isPaused: () => Promise<boolean>;
  settings: () => Pick<InstallationSettings, 'maintenanceMode'>;
};

/** The state of each component, from the processes' signs of life and the measurements of alerts. Throws where the database does not answer. */
export async function readHealth(ports: HealthPorts): Promise<Health> {
  const running = (await listProcesses(ports.pool, ports.now())).filter(({ state }) => state === 'running');
  const isLate = troublesOf(await readInstallationState(ports)).some(({ cause }) => cause === 'late_deliveries');
  const has = (role: 'web' | 'worker') => running.some((process) => process.role === role || process.role === 'all');
  return {
    web: healthOf(has('web') ? (ports.settings().maintenanceMode ? 'maintenance' : null) : 'no_web_server'),
    deliveries: healthOf(has('worker') ? ((await ports.isPaused()) ? 'paused' : isLate ? 'late' : null) : 'no_worker'),
    database: healthOf(null),
  };
}

const isGone: Record<Trouble, boolean> = {
  maintenance: false,
  paused: false,
  late: false,
  no_web_server: true,
  no_worker: true,
  no_database: true,
};

const healthOf = (trouble: Trouble | null): Health[Component] => ({
  trouble,
  state: trouble === null ? 'operational' : isGone[trouble] ? 'down' : 'degraded',
});

/** The state while the database does not answer: nothing else works then. */
export const withoutDatabase: Health = {
  web: healthOf('no_database'),
  deliveries: healthOf('no_database'),
  database: healthOf('no_database'),
};
