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
  /** Why this process cannot write, as a sentence for people; null where it can. */
  writeFailure: () => Promise<string | null>;
};

/** The state of each component, from the processes' signs of life and the measurements of alerts. Throws where the database does not answer. */
export async function readHealth(ports: HealthPorts): Promise<Health> {
  // Nobody can write a sign of life then.
  if ((await isReadOnly(ports.pool)) || (await ports.writeFailure()) !== null) return withoutChanges;
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
  read_only: false,
  no_web_server: true,
  no_worker: true,
  no_database: true,
};

const healthOf = (trouble: Trouble | null): Health[Component] => ({
  trouble,
  state: trouble === null ? 'operational' : isGone[trouble] ? 'down' : 'degraded',
});

async function isReadOnly(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ is_read_only: boolean }>(
    "select current_setting('transaction_read_only') = 'on' as is_read_only",
  );
  return rows[0]?.is_read_only === true;
}

/** The state while the database accepts no changes: its disk is full, or it is a standby. People can look. */
const withoutChanges: Health = {
  web: healthOf('read_only'),
  deliveries: { trouble: 'read_only', state: 'down' },
  database: healthOf('read_only'),
};

/** The state while the database does not answer: nothing else works then. */
export const withoutDatabase: Health = {
  web: healthOf('no_database'),
  deliveries: healthOf('no_database'),
  database: healthOf('no_database'),
};
