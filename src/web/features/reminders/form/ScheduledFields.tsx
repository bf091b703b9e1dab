import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { DatePickerInput, DateTimePicker } from '@mantine/dates';
import { scheduleTypes } from '#contract/schedules.ts';
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
        <StartField />
        <EndField />
      </SimpleGrid>
    </>
  );
}

function StartField() {
  const form = useReminderFormContext();
  const { value, ...props } = form.getInputProps('schedule_config.startDate');
  return (
    <DateTimePicker
      label="Start date"
      valueFormat="ddd, D MMM YYYY, HH:mm"
      firstDayOfWeek={0}
      weekendDays={[]}
      defaultTimeValue="09:00"
      placeholder="Pick a day and time"
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the start' }}
      submitButtonProps={{ 'aria-label': 'Done' }}
      timePickerProps={{ 'aria-label': 'Time' }}
      {...props}
      value={pickerValue(value)}
      onChange={(chosen) =>
        form.setFieldValue('schedule_config.startDate', chosen === null ? null : chosen.replace(' ', 'T'))
      }
    />
  );
}

/** A day only: a reminder is sent through the end of it. */
function EndField() {
  const form = useReminderFormContext();
  const { value, ...props } = form.getInputProps('schedule_config.endDate');
  return (
    <DatePickerInput
      label="End date (optional)"
      valueFormat="ddd, D MMM YYYY"
      firstDayOfWeek={0}
      weekendDays={[]}
      placeholder="No end"
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the end' }}
      {...props}
      value={pickerValue(value)?.slice(0, 10) ?? null}
      onChange={(chosen) =>
        form.setFieldValue('schedule_config.endDate', chosen === null ? null : `${chosen}T23:59:59`)
      }
    />
  );
}

/** The pickers write `YYYY-MM-DD HH:mm:ss`, ISO 8601 a T between. */
const pickerValue = (stored: unknown): string | null => (typeof stored === 'string' ? stored.replace('T', ' ') : null);
