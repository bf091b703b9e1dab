import { Button } from '@mantine/core';
import type { SimulatedFailure } from '#contract/simulated-failures.ts';
import { useSimulatedFailures, useSetSimulatedFailure } from '#web/api/inbox.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { simulatedFailureInWords } from './simulated-failure-text.ts';
import classes from './simulated-failure.module.css';

/** The current simulated failures, each with a button to stop it; renders nothing when there are none. */
export function SimulatedFailureList() {
  const { data, error, isFetching, refetch } = useSimulatedFailures();
  if (!data && error) {
    return (
      <ErrorState
        title="Error loading the simulated failures"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!data || data.length === 0) return null;
  return (
    <ul className={classes.simulatedFailures} aria-label="Simulated now">
      {data.map((simulatedFailure) => (
        <Simulated key={simulatedFailure.channel} simulatedFailure={simulatedFailure} />
      ))}
    </ul>
  );
}

function Simulated({ simulatedFailure }: { simulatedFailure: SimulatedFailure }) {
  const set = useSetSimulatedFailure();
  const stop = () =>
    set.mutate(
      { channel: simulatedFailure.channel, failure: null, times: null },
      { onError: (error) => notifyFailure('Error ending the simulated failure', error) },
    );
  const words = simulatedFailureInWords(simulatedFailure);
  return (
    <li className={classes.simulated}>
      <ChannelIcon channel={simulatedFailure.channel} />
      <span>{words}</span>
      <Button
        size="xs"
        variant="default"
        aria-label={`Stop simulating ${words}`}
        loading={set.isPending}
        onClick={stop}
      >
        Stop
      </Button>
    </li>
  );
}
