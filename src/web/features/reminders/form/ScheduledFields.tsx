import { Select, SimpleGrid } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useId } from 'react';
import { scheduleTypes } from '#contract/schedules.ts';
import { calendar } from '#web/ui/pickers/calendar.ts';
import { MomentPicker } from '#web/ui/pickers/MomentPicker.tsx';
import { CronFields } from './cron/CronFields.tsx';
import { useReminderFormContext } from './form-context.ts';
import { dayOfMonthOf, onDayOfMonth, onWeekday, weekdayOf } from './start-day.ts';
import { tomorrowAtNine, wallTimeIn } from './wall-time.ts';

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

/** Date and time in the reminder's zone. */
function StartDateField() {
  const form = useReminderFormContext();
  const { value, ...props } = form.getInputProps('schedule_config.startDate');
  return (
    <MomentPicker
      label="Start date"
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the start' }}
      {...props}
      value={pickerValue(value)}
      onChange={(chosen) =>
        form.setFieldValue('schedule_config.startDate', chosen === null ? null : chosen.replace(' ', 'T'))
      }
    />
  );
}

/** A date; the reminder is sent through the end of that day. */
function EndDateField() {
  const form = useReminderFormContext();
  const id = useId();
  const { value, ...props } = form.getInputProps('schedule_config.endDate');
  return (
    <DatePickerInput
      {...calendar(id)}
      label="End date (optional)"
      valueFormat="ddd, D MMM YYYY"
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

/** The pickers use `YYYY-MM-DD HH:mm:ss`; ISO 8601 has a T in place of the space. */
const pickerValue = (stored: unknown): string | null => (typeof stored === 'string' ? stored.replace('T', ' ') : null);

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((label, at) => ({
  value: String(at),
  label,
}));
const days = Array.from({ length: 31 }, (_, at) => ({
  value: String(at + 1),
  label: at < 28 ? String(at + 1) : `${at + 1} (or the last day)`,
}));

/** The weekday of a weekly reminder, the day of a monthly one: a part of its start date. */
function StartDayField() {
  const form = useReminderFormContext();
  const { scheduleType, startDate, timezone } = form.values.schedule_config;
  if (scheduleType !== 'weekly' && scheduleType !== 'monthly') return null;
  const isWeekly = scheduleType === 'weekly';
  const choose = (value: string | null) => {
    if (value === null) return;
    const now = new Date();
    const today = wallTimeIn(now.toISOString(), timezone).slice(0, 10);
    const start = startDate ?? tomorrowAtNine(now);
    const moved = isWeekly
      ? onWeekday(start, { weekday: Number(value), today })
      : onDayOfMonth(start, { day: Number(value), today });
    form.clearFieldError('schedule_config.startDate');
    form.setFieldValue('schedule_config.startDate', moved);
  };
  const chosen = startDate === null ? null : String(isWeekly ? weekdayOf(startDate) : dayOfMonthOf(startDate));
  return (
    <Select
      label={isWeekly ? 'Weekday' : 'Day of the month'}
      data={isWeekly ? weekdays : days}
      allowDeselect={false}
      placeholder="Of the start date"
      maxDropdownHeight={280}
      value={chosen}
      onChange={choose}
    />
  );
}
