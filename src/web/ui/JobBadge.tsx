import { IconAlertTriangle } from '@tabler/icons-react';
import { isPartlySent, partlySent, type Run } from '#domain/run-outcome.ts';
import { StatusBadge, ToneBadge } from './StatusBadge.tsx';

/** How a job went: its status, or that it is partly sent. */
export const JobBadge = ({ job }: { job: Run }) =>
  isPartlySent(job) ? (
    <ToneBadge word={partlySent} tone="waiting" icon={IconAlertTriangle} />
  ) : (
    <StatusBadge kind="job" status={job.status} />
  );
