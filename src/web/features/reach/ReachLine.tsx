import { lazy, Suspense } from 'react';
import type { ReachCount } from '#contract/reach.ts';
import { type ReachOf, useReach } from '#web/api/reach.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import classes from './reach.module.css';
import { ReachCounts, ReachFailed } from './ReachCounts.tsx';

const ReachDialog = lazy(() => import('./ReachDialog.tsx'));

/** Who would get it, by kind; each kind opens the list of its people. */
export function ReachLine({ label, of }: { label: string; of: ReachOf }) {
  const { data, error, isError, isPlaceholderData, refetch } = useReach(of);
  const { state, open, close } = useDialogState<ReachCount>();
  if (data === undefined)
    return isError ? (
      <ReachFailed error={error} onRetry={() => void refetch()} />
    ) : (
      <p className={classes.note} role="status">
        Counting who gets it…
      </p>
    );
  // Before the event nobody is known who could be counted.
  const isCounted = !data.is_event_awaited || data.total > 0;
  return (
    <div className={classes.line} aria-busy={isPlaceholderData}>
      {data.is_event_awaited && (
        <p className={classes.note}>Whom the event names{data.total > 0 && ', and beside them:'}</p>
      )}
      {isCounted && <ReachCounts label={label} counts={data.counts} onChoose={open} />}
      {data.refusal !== null && <p className={classes.note}>{data.refusal}.</p>}
      {data.unchecked > 0 && (
        <p className={classes.note}>
          The message was not tried for {data.unchecked.toLocaleString('en')} of them: it would take too long.
        </p>
      )}
      <Suspense>
        {state.asked !== null && (
          <ReachDialog
            key={state.openCount}
            of={of}
            chosen={state.asked}
            opened={state.isOpen}
            onClose={() => close(state.openCount)}
          />
        )}
      </Suspense>
    </div>
  );
}
