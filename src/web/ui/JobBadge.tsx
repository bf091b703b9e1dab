import { IconAlertTriangle } from '@tabler/icons-react';
import type { JobExecution } from '#contract/executions.ts';
import { hasMissedSomebody, isPartlySent, isPartlySentExecution, partlySent, type Run } from '#domain/run-outcome.ts';
import { StatusBadge, ToneBadge } from './StatusBadge.tsx';

/** How a job went: its status, or that it is partly sent. Of one that has missed somebody in the tone of a warning. */
export function JobBadge({ job }: { job: Run }) {
  if (isPartlySent(job)) return <PartlySentBadge />;
  if (hasMissedSomebody(job)) return <ToneBadge word="Completed" tone="waiting" icon={IconAlertTriangle} />;
  return <StatusBadge kind="job" status={job.status} />;
}

/** How a run of a job went. */
export const ExecutionBadge = ({ of }: { of: Pick<JobExecution, 'status' | 'logs'> }) =>
  isPartlySentExecution(of) ? <PartlySentBadge /> : <StatusBadge kind="execution" status={of.status} />;

export const PartlySentBadge = () => <ToneBadge word={partlySent} tone="waiting" icon={IconAlertTriangle} />;
