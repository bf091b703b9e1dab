import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { type KnownProcess, listProcesses } from '#features/metrics/processes.service.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';

/** A hash of what a process lets go out: the same for the same networks in another order. */
export const outboundRulesHash = ({ EGRESS_ALLOW, sandbox }: Pick<Config, 'EGRESS_ALLOW' | 'sandbox'>): string =>
  createHash('sha256')
    .update(JSON.stringify([EGRESS_ALLOW.map((network) => JSON.stringify(network)).toSorted(), sandbox]))
    .digest('base64url');

/** Whether processes that run differ in what they let go out. Those of earlier versions do not say. */
export const doRulesDiffer = (processes: readonly KnownProcess[]): boolean =>
  new Set(processes.flatMap(({ state, outbound }) => (state === 'running' && outbound !== null ? [outbound] : [])))
    .size > 1;

/** Says in the log where processes of this installation differ in what they let go out. Called at the start, once the process is among them. */
export async function reportOutboundRules({
  pool,
  clock,
  log,
}: {
  pool: Pool;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'error'>;
}): Promise<void> {
  const processes = await listProcesses(pool, clock.now());
  if (!doRulesDiffer(processes)) return;
  const running = processes.filter(({ state }) => state === 'running').map(({ host, pid }) => `${host} ${pid}`);
  log.error(
    { processes: running },
    'processes of Cuebird on this database have different settings of EGRESS_ALLOW or SANDBOX, so that it depends on chance what a message may reach: set the same for all, and start them again',
  );
}
