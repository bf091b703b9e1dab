import { Input, UnstyledButton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './SendingHours.module.css';

type ChoicesProps<T> = {
  label: string;
  choices: readonly { value: T; name: string }[];
  chosen: readonly T[];
  error: ReactNode;
  onToggle: (value: T) => void;
};

/** A group of toggle buttons, each on or off by itself. */
export function Choices<T extends string | number>({ label, choices, chosen, error, onToggle }: ChoicesProps<T>) {
  const id = useId();
  return (
    <fieldset className={classes.group} aria-describedby={error ? `${id}-error` : undefined}>
      <Input.Label component="legend" required>
        {label}
      </Input.Label>
      <div className={classes.choices}>
        {choices.map(({ value, name }) => (
          <UnstyledButton
            key={value}
            type="button"
            className={classes.choice}
            aria-pressed={chosen.includes(value)}
            onClick={() => onToggle(value)}
          >
            {name}
          </UnstyledButton>
        ))}
      </div>
      {error && (
        <Input.Error id={`${id}-error`} mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </fieldset>
  );
}
