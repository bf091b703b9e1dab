import { Box, Text } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import type { Reach, ReachCount } from '#contract/reach.ts';
import { type ReachOf, useReach } from '#web/api/reach.ts';
import prose from '#web/ui/prose.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { ReachCounts, ReachFailed } from './ReachCounts.tsx';
import { leftButRequiredText, reachesNobody, sequencesText } from './reach-words.ts';

const ReachDialog = lazyPart(() => import('./ReachDialog.tsx'));

/** Who would get it, by kind; each kind opens the list of its people. */
export function ReachLine({ label, of }: { label: string; of: ReachOf }) {
  const { data, error, isError, isPlaceholderData, refetch } = useReach(of);
  const { state, dialog, open } = useDialogState<ReachCount>();
  if (data === undefined)
    return isError ? (
      <ReachFailed error={error} onRetry={() => void refetch()} />
    ) : (
      <Text className={prose.small} mt={4} role="status">
        Counting who gets it…
      </Text>
    );
  // Before the event nobody is known who could be counted.
  const isCounted = !data.is_event_awaited || data.total > 0;
  return (
    <Box miw={0} aria-busy={isPlaceholderData}>
      {data.is_event_awaited && (
        <Text className={prose.small} mt={4}>
          Whom the event names{data.total > 0 && ', and beside them:'}
        </Text>
      )}
      {isCounted && <ReachCounts label={label} counts={data.counts} onChoose={open} />}
      <Sequences of={data.sequences} />
      {data.left_but_required > 0 && (
        <Text className={prose.small} mt={4}>
          {leftButRequiredText(data.left_but_required)}
        </Text>
      )}
      {isCounted && reachesNobody(data) ? (
        <Text className={prose.small} fw={600} c="var(--status-bad)" mt={4}>
          It reaches nobody now{data.refusal === null ? '' : `. ${data.refusal}`}.
        </Text>
      ) : (
        data.refusal !== null && (
          <Text className={prose.small} mt={4}>
            {data.refusal}.
          </Text>
        )
      )}
      {data.unchecked > 0 && (
        <Text className={prose.small} mt={4}>
          The message was not tried for {data.unchecked.toLocaleString('en')} of them: it would take too long.
        </Text>
      )}
      <Suspense>
        {state.asked !== null && <ReachDialog key={state.openCount} of={of} chosen={state.asked} {...dialog} />}
      </Suspense>
    </Box>
  );
}

function Sequences({ of }: { of: Reach['sequences'] }) {
  const text = sequencesText(of);
  return text === null ? null : (
    <Text className={prose.small} mt={4}>
      {text}
    </Text>
  );
}
