import { Button, Flex } from '@mantine/core';
import type { SimulatedFailure } from '#contract/simulated-failures.ts';
import { useSimulatedFailures, useSetSimulatedFailure } from '#web/api/inbox.ts';
import { act } from '#web/ui/act.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { simulatedFailureInWords } from './simulated-failure-text.ts';
import classes from './simulated-failure.module.css';

/** The current simulated failures, each with a button to stop it; renders nothing when there are none. */
export function SimulatedFailureList() {
  return (
    <Loaded of={useSimulatedFailures()} failed="Error loading the simulated failures" skeleton={null}>
      {(failures) =>
        failures.length > 0 && (
          <Flex component="ul" direction="column" aria-label="Simulated now">
            {failures.map((simulatedFailure) => (
              <Simulated key={simulatedFailure.channel} simulatedFailure={simulatedFailure} />
            ))}
          </Flex>
        )
      }
    </Loaded>
  );
}

function Simulated({ simulatedFailure }: { simulatedFailure: SimulatedFailure }) {
  const set = useSetSimulatedFailure();
  const stop = () =>
    act(set.mutateAsync({ channel: simulatedFailure.channel, failure: null, times: null }), {
      failed: 'Error ending the simulated failure',
    });
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
        onClick={() => void stop()}
      >
        Stop
      </Button>
    </li>
  );
}
