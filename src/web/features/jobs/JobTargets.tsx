import { Skeleton } from '@mantine/core';
import { useId, useState } from 'react';
import type { JobSummary } from '#contract/jobs.ts';
import type { ReachCount, ReachTarget } from '#contract/reach.ts';
import { useReach, useReachPeople } from '#web/api/reach.ts';
import { isSame, ReachCounts } from '#web/features/reach/ReachCounts.tsx';
import { ReachPeople } from '#web/features/reach/ReachPeople.tsx';
import { reachesNobody } from '#web/features/reach/reach-words.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import classes from './DeliveryLedger.module.css';
import { DeliveryMessage } from './DeliveryMessage.tsx';
import { RecipientButton } from './RecipientButton.tsx';

/** Whom a job that has not started would reach, each with the message as it would be sent now, and whom it would not. */
export function JobTargets({ job: { id } }: { job: JobSummary }) {
  const { data, error, isPending, isFetching, refetch } = useReach({ jobId: id });
  const [wanted, choose] = useState<ReachCount | null>(null);
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
  const chosen =
    data.counts.find((count) => wanted !== null && isSame(count, wanted)) ??
    data.counts.find(({ people }) => people > 0);
  return (
    <>
      <p className={classes.none}>
        Recipients appear here once the job runs, one line for each recipient and channel. If it ran now:
      </p>
      <div className={classes.ahead}>
        <ReachCounts label="Who will get it" counts={data.counts} chosen={chosen} onChoose={choose} />
        {reachesNobody(data) && data.refusal !== null && <p className={classes.none}>{data.refusal}.</p>}
      </div>
      {chosen === undefined ? null : chosen.kind === 'reached' ? (
        <Reached jobId={id} />
      ) : (
        <ReachPeople key={`${chosen.kind} ${chosen.of}`} of={{ jobId: id }} kind={chosen} />
      )}
    </>
  );
}

function Reached({ jobId }: { jobId: string }) {
  const people = useReachPeople({ jobId }, { kind: 'reached', of: null });
  if (people.isPending) return <Skeleton height={112} radius="md" />;
  if (!people.data) {
    return (
      <ErrorState
        title="Error loading recipients"
        error={people.error}
        onRetry={() => void people.refetch()}
        isRetrying={people.isFetching}
      />
    );
  }
  const targets = people.data.flatMap((person) => person.targets.filter(({ problem }) => problem === null));
  return (
    <div className={classes.ledger}>
      <ul className={classes.list}>
        {targets.map((target) => (
          <Target key={`${target.channel} ${target.recipient}`} jobId={jobId} target={target} />
        ))}
      </ul>
      {people.hasNextPage && <LoadMore of={people}>{people.data.length.toLocaleString('en')} shown</LoadMore>}
    </div>
  );
}

function Target({ jobId, target }: { jobId: string; target: ReachTarget }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { channel, recipient, is_fallback } = target;
  return (
    <li className={classes.item}>
      <RecipientButton
        of={target}
        className={classes.target}
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
        controls={id}
      />
      {is_fallback && <div className={classes.said}>Only if the previous channel fails</div>}
      <div id={id} hidden={!isOpen} className={classes.details}>
        {isOpen && <DeliveryMessage jobId={jobId} to={{ channel, recipient, isSent: false }} />}
      </div>
    </li>
  );
}
