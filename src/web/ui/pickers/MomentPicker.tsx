import '@mantine/dates/styles.layer.css';
import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates';
import { useId } from 'react';
import { calendar } from './calendar.ts';

/** A day and a time, chosen from a calendar; its value is `YYYY-MM-DD HH:mm:ss`. */
export function MomentPicker(props: DateTimePickerProps) {
  const id = useId();
  return (
    <DateTimePicker
      {...calendar(id)}
      valueFormat="ddd, D MMM YYYY, HH:mm"
      defaultTimeValue="09:00"
      placeholder="Pick a day and time"
      submitButtonProps={{ 'aria-label': 'Done' }}
      timePickerProps={{ 'aria-label': 'Time', hoursInputLabel: 'Hours', minutesInputLabel: 'Minutes' }}
      {...props}
    />
  );
}
