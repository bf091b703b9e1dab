import { Button } from '@mantine/core';
import type { Rehearsal } from '#contract/rehearsals.ts';
import { useRehearsals, useSetRehearsal } from '#web/api/inbox.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { rehearsalInWords } from './rehearsal-words.ts';
import classes from './rehearsal.module.css';

/** What is rehearsed now, each with the way to stop it; nothing while all is as it should be. */
export function RehearsalList() {
  const { data, error, isFetching, refetch } = useRehearsals();
  if (!data && error) {
    return (
      <ErrorState
        title="Error loading the rehearsals"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!data || data.length === 0) return null;
  return (
    <ul className={classes.rehearsals} aria-label="Rehearsed now">
      {data.map((rehearsal) => (
        <Rehearsed key={rehearsal.channel} rehearsal={rehearsal} />
      ))}
    </ul>
  );
}

function Rehearsed({ rehearsal }: { rehearsal: Rehearsal }) {
  const set = useSetRehearsal();
  const stop = () =>
    set.mutate(
      { channel: rehearsal.channel, failure: null, times: null },
      { onError: (error) => notifyFailure('Error stopping the rehearsal', error) },
    );
  const words = rehearsalInWords(rehearsal);
  return (
    <li className={classes.rehearsed}>
      <ChannelIcon channel={rehearsal.channel} />
      <span>{words}</span>
      <Button
        size="xs"
        variant="default"
        aria-label={`Stop rehearsing ${words}`}
        loading={set.isPending}
        onClick={stop}
      >
        Stop
      </Button>
    </li>
  );
}
