import '@mantine/dates/styles.layer.css';
import { DateInput, type DateInputProps } from '@mantine/dates';
import { useId, useState } from 'react';
import { calendar } from './calendar.ts';
import { typedDay, untakenText } from './typed-day.ts';

type DayInputProps = Omit<DateInputProps, 'value' | 'onChange' | 'minDate' | 'maxDate'> & {
  /** `YYYY-MM-DD`; empty for none. */
  value: string;
  min?: string | undefined;
  max?: string | undefined;
  /** Called with each whole day that is typed or chosen, and with undefined when the field is emptied. */
  onChange: (day: string | undefined) => void;
};

/** A day as the product writes it, `28 Nov 2026`, typed or chosen from a calendar. What is typed and no such day is named under the field. */
export function DayInput({ value, min, max, error, onChange, ...props }: DayInputProps) {
  const id = useId();
  const [untaken, setUntaken] = useState<string | null>(null);
  return (
    <DateInput
      {...calendar(id)}
      valueFormat="D MMM YYYY"
      placeholder="Pick a day"
      dateParser={typedDay}
      allowDeselect
      value={value === '' ? null : value}
      error={error ?? untaken}
      onInput={() => setUntaken(null)}
      onBlur={({ currentTarget }) => setUntaken(untakenText(currentTarget.value, { min, max }))}
      onChange={(day) => {
        setUntaken(null);
        onChange(day ?? undefined);
      }}
      {...(min && { minDate: min })}
      {...(max && { maxDate: max })}
      {...props}
    />
  );
}
