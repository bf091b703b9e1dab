import { IconAlertTriangle } from '@tabler/icons-react';
import type { JobExecution } from '#contract/executions.ts';
import {
  hasMissedSomebody,
  isCancelledExecution,
  isPartlySent,
  isPartlySentExecution,
  partlySent,
  type Run,
} from '#domain/run-outcome.ts';
import { StatusBadge, statusWord, ToneBadge } from './StatusBadge.tsx';

/** How a job went: its status, or that it is partly sent. Of one that has missed somebody in the tone of a warning. */
export function JobBadge({ job }: { job: Run }) {
  if (isPartlySent(job)) return <PartlySentBadge />;
  if (hasMissedSomebody(job)) return <ToneBadge word="Completed" tone="waiting" icon={IconAlertTriangle} />;
  return <StatusBadge kind="job" status={job.status} />;
}

/** The word of that badge, for places without one. */
export const jobWord = (job: Run): string =>
  isPartlySent(job) ? partlySent : statusWord({ kind: 'job', status: job.status });

/** How a run of a job went. */
export function ExecutionBadge({ of }: { of: Pick<JobExecution, 'status' | 'logs'> }) {
  if (isPartlySentExecution(of)) return <PartlySentBadge />;
  if (isCancelledExecution(of)) return <StatusBadge kind="job" status="cancelled" />;
  return <StatusBadge kind="execution" status={of.status} />;
}

export const PartlySentBadge = () => <ToneBadge word={partlySent} tone="waiting" icon={IconAlertTriangle} />;
