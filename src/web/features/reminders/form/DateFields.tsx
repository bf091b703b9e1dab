import { DatePickerInput, DateTimePicker, type DayOfWeek } from '@mantine/dates';
import { useId } from 'react';
import { useReminderFormContext } from './form-context.ts';

/** Date and time in the reminder's zone. */
export function StartDateField() {
  const form = useReminderFormContext();
  const id = useId();
  const { value, ...props } = form.getInputProps('schedule_config.startDate');
  return (
    <DateTimePicker
      {...calendar(id)}
      label="Start date"
      valueFormat="ddd, D MMM YYYY, HH:mm"
      defaultTimeValue="09:00"
      placeholder="Pick a day and time"
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the start' }}
      submitButtonProps={{ 'aria-label': 'Done' }}
      timePickerProps={{ 'aria-label': 'Time', hoursInputLabel: 'Hours', minutesInputLabel: 'Minutes' }}
      {...props}
      value={pickerValue(value)}
      onChange={(chosen) =>
        form.setFieldValue('schedule_config.startDate', chosen === null ? null : chosen.replace(' ', 'T'))
      }
    />
  );
}

/** A date; the reminder is sent through the end of that day. */
export function EndDateField() {
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

const sunday: DayOfWeek = 0;

/** The week starts on Sunday. No day is red, because red marks errors. The popover is labelled by its field. */
const calendar = (id: string) => ({
  id,
  popoverProps: { id },
  firstDayOfWeek: sunday,
  weekendDays: [],
  ariaLabels: {
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    previousDecade: 'Previous decade',
    nextDecade: 'Next decade',
  },
});
