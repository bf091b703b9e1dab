import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { scheduleTypes } from '#contract/schedules.ts';
import { EndDateField, StartDateField } from './DateFields.tsx';
import { useReminderFormContext } from './form-context.ts';

const choices = [
  { value: 'once', label: 'Once' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'custom', label: 'Custom (cron)' },
];

/** How often, from when, until when. */
export function ScheduledFields({ cronError }: { cronError: string | null }) {
  const form = useReminderFormContext();
  const { scheduleType } = form.values.schedule_config;
  const type = form.getInputProps('schedule_config.scheduleType');
  const cron = form.getInputProps('schedule_config.customCron');
  return (
    <>
      <Select
        label="Schedule type"
        data={choices}
        allowDeselect={false}
        {...type}
        onChange={(value) => {
          const chosen = scheduleTypes.find((known) => known === value);
          if (chosen) form.setFieldValue('schedule_config.scheduleType', chosen);
        }}
      />
      {scheduleType === 'custom' && (
        <TextInput
          label="Cron expression"
          description={'Use standard cron syntax. Example: "0 9 * * MON" for every Monday at 9 AM'}
          placeholder="0 9 * * MON"
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autoComplete="off"
          {...cron}
          error={cron.error ?? cronError}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={16} verticalSpacing={20}>
        <StartDateField />
        <EndDateField />
      </SimpleGrid>
    </>
  );
}
