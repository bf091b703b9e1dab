import { Skeleton } from '@mantine/core';
import { useId, useState } from 'react';
import type { JobSummary, JobTarget } from '#contract/jobs.ts';
import { useJobTargets } from '#web/api/jobs.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import classes from './DeliveryLedger.module.css';
import { DeliveryMessage } from './DeliveryMessage.tsx';
import { RecipientButton } from './RecipientButton.tsx';

/** The recipients of a job that has not started, each with the message as it would be sent now. */
export function JobTargets({ job }: { job: JobSummary }) {
  const { data, error, isPending, isFetching, refetch } = useJobTargets(job.id);
  if (isPending) return <Skeleton height={112} radius="md" />;
  if (!data) {
    return (
      <ErrorState
        title="Error loading recipients"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  }
  const more = data.total - data.data.length;
  const reached = data.data.filter(({ problem }) => problem === null);
  const others = data.data.filter(({ problem }) => problem !== null);
  return (
    <>
      <p className={classes.none}>
        Recipients appear here once the job runs, one line for each recipient and channel.
        {reached.length > 0 && ' With the current settings it will reach:'}
      </p>
      {reached.length > 0 && <Targets jobId={job.id} targets={reached} />}
      {others.length > 0 && (
        <>
          <p className={classes.none}>With the current settings it will not reach:</p>
          <Targets jobId={job.id} targets={others} />
        </>
      )}
      {more > 0 && <p className={classes.more}>and {more.toLocaleString('en')} more</p>}
    </>
  );
}

const Targets = ({ jobId, targets }: { jobId: string; targets: readonly JobTarget[] }) => (
  <div className={classes.ledger} data-below>
    <ul className={classes.list}>
      {targets.map((target) => (
        <Target key={`${target.channel} ${target.recipient}`} jobId={jobId} target={target} />
      ))}
    </ul>
  </div>
);

function Target({ jobId, target }: { jobId: string; target: JobTarget }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { channel, recipient, problem, is_fallback } = target;
  const said = problem ?? (is_fallback ? 'Only if the previous channel fails' : null);
  return (
    <li className={classes.item}>
      <RecipientButton
        of={target}
        className={classes.target}
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
        controls={id}
      />
      {said !== null && <div className={classes.said}>{said}</div>}
      <div id={id} hidden={!isOpen} className={classes.details}>
        {isOpen && <DeliveryMessage jobId={jobId} to={{ channel, recipient, isSent: false }} />}
      </div>
    </li>
  );
}
