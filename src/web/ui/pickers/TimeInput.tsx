import '@mantine/dates/styles.layer.css';
import { TimePicker } from '@mantine/dates';
import type { ReactNode } from 'react';

type TimeInputProps = {
  label: string;
  description?: string;
  error?: ReactNode;
  /** `HH:mm`; empty while none is typed. */
  value: string;
  onChange: (time: string) => void;
};

/** A time of the day by a clock of 24 hours, whatever the browser's language. */
export const TimeInput = ({ label, onChange, ...field }: TimeInputProps) => (
  <TimePicker
    label={label}
    hoursInputLabel={`${label}: hours`}
    minutesInputLabel={`${label}: minutes`}
    onChange={(time) => onChange(time.slice(0, 5))}
    {...field}
  />
);
