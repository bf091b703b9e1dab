import { Input, SimpleGrid, Skeleton, Text, TextInput } from '@mantine/core';
import { eventDataLimits } from '#contract/events.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import type { EventData } from './use-event-data.ts';

type EventDataFieldsProps = {
  of: EventData;
  /** The name of the event; undefined as long as the reminder names none. */
  event: string | undefined;
  errors: Readonly<Record<string, unknown>>;
};

/** The values that the event of a test brings, and where they are from; nothing where the message needs none. */
export function EventDataFields({ of, event, errors }: EventDataFieldsProps) {
  const names = Object.keys(of.values);
  const wrong = errors['data'];
  if (of.isLoading) return <Skeleton height={96} radius="md" role="status" aria-label="Loading the last event" />;
  return (
    <>
      {names.length > 0 && (
        <div role="group" aria-labelledby="event-data">
          <Input.Label id="event-data" component="div">
            Data of the event
          </Input.Label>
          <Text fz="xs" c="dimmed" mb={8}>
            {of.last === null ? (
              `Samples: ${event === undefined ? 'the reminder names no event' : `no ${event} is stored`}.`
            ) : (
              <>
                As in the last {event}, <InstantText at={of.last.occurred_at} />.
              </>
            )}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16} verticalSpacing={12}>
            {names.map((name) => {
              const error = errors[`data.${name}`];
              return (
                <TextInput
                  key={name}
                  label={name}
                  autoComplete="off"
                  maxLength={eventDataLimits.value}
                  error={typeof error === 'string' && error}
                  value={of.values[name] ?? ''}
                  onChange={({ currentTarget }) => of.change(name, currentTarget.value)}
                />
              );
            })}
          </SimpleGrid>
        </div>
      )}
      {of.left > 0 && (
        <Notice>{`${of.left.toLocaleString('en')} more variables have no field here: a message that needs them is not sent.`}</Notice>
      )}
      {typeof wrong === 'string' && <Input.Error>{wrong}</Input.Error>}
    </>
  );
}
