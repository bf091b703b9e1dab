import { Skeleton, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { Job, JobTarget } from '#contract/jobs.ts';
import { useJobTargets } from '#web/api/jobs.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import classes from './DeliveryLedger.module.css';
import { DeliveryMessage } from './DeliveryMessage.tsx';

/** Whom a job that has not begun is to reach, each with the message as it would be sent now. */
export function JobTargets({ job }: { job: Job }) {
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
  return (
    <>
      <p className={classes.none}>
        Recipients appear here once the job runs: one line for each of them and each channel.
        {data.total > 0 && ' As things stand it will reach:'}
      </p>
      {data.total > 0 && (
        <div className={classes.ledger} data-below>
          <ul className={classes.list}>
            {data.data.map((target) => (
              <Target key={`${target.channel} ${target.recipient}`} jobId={job.id} target={target} />
            ))}
          </ul>
          {more > 0 && <p className={classes.more}>and {more.toLocaleString('en')} more</p>}
        </div>
      )}
    </>
  );
}

function Target({ jobId, target }: { jobId: string; target: JobTarget }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { channel, recipient, recipient_name, problem, is_fallback } = target;
  const said = problem ?? (is_fallback ? 'Only where the one before cannot be reached' : null);
  return (
    <li className={classes.item}>
      <UnstyledButton
        component="button"
        className={classes.target}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={classes.icon}>
          <ChannelIcon channel={channel} />
        </span>
        <span className={classes.who}>
          <span className={classes.name}>{recipient_name ?? recipient}</span>
          {recipient_name && <span className={classes.address}>{recipient}</span>}
        </span>
        <IconChevronDown className={classes.chevron} size={16} stroke={1.8} aria-hidden />
      </UnstyledButton>
      {said !== null && <div className={classes.said}>{said}</div>}
      <div id={id} hidden={!isOpen} className={classes.details}>
        {isOpen && <DeliveryMessage jobId={jobId} to={{ channel, recipient, isSent: false }} />}
      </div>
    </li>
  );
}
