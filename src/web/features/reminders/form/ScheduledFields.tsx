import { Select, SimpleGrid } from '@mantine/core';
import { scheduleTypes } from '#contract/schedules.ts';
import { CronFields } from './cron/CronFields.tsx';
import { EndDateField, StartDateField } from './DateFields.tsx';
import { useReminderFormContext } from './form-context.ts';
import { StartDayField } from './StartDayField.tsx';

const choices = [
  { value: 'once', label: 'Once' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'custom', label: 'Custom (cron)' },
];

/** The frequency, the start and the end. */
export function ScheduledFields({ cronError }: { cronError: string | null }) {
  const form = useReminderFormContext();
  const { scheduleType } = form.values.schedule_config;
  const type = form.getInputProps('schedule_config.scheduleType');
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
      <StartDayField />
      {scheduleType === 'custom' && <CronFields error={cronError} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={16} verticalSpacing={20}>
        <StartDateField />
        <EndDateField />
      </SimpleGrid>
    </>
  );
}
