import { Button, Input, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactElement, type ReactNode, useId } from 'react';
import classes from './EntryField.module.css';

type EntryFieldProps = {
  label: string;
  isRequired?: boolean;
  placeholder: string;
  addLabel: string;
  error?: ReactNode;
  value: string;
  onType: (text: string) => void;
  onAdd: () => void;
  /** Gets the initial focus of a dialog. */
  isFirst?: boolean;
  /** Wraps the input, for example in a list of suggestions. */
  around?: (input: ReactElement) => ReactNode;
};

/** A field whose text is added to a list by its button or by Enter, which then does not submit the form. */
export function EntryField({
  label,
  isRequired,
  placeholder,
  addLabel,
  error,
  value,
  onType,
  onAdd,
  isFirst,
  around = (input) => input,
}: EntryFieldProps) {
  const id = useId();
  const addOnEnter = (event: KeyboardEvent) => {
    // Enter during IME composition (Japanese, for example) ends the composition.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // Enter selects the highlighted option instead.
    if (event.currentTarget.hasAttribute('aria-activedescendant')) return;
    onAdd();
  };
  return (
    <Input.Wrapper label={label} required={isRequired} labelProps={{ htmlFor: id }}>
      <div className={classes.entry}>
        {around(
          <TextInput
            id={id}
            placeholder={placeholder}
            value={value}
            onChange={(event) => onType(event.currentTarget.value)}
            onKeyDown={addOnEnter}
            error={Boolean(error)}
            data-autofocus={isFirst || undefined}
            aria-describedby={error ? `${id}-why` : undefined}
          />,
        )}
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={onAdd}
          aria-label={addLabel}
        >
          Add
        </Button>
      </div>
      {error && (
        <Input.Error id={`${id}-why`} mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </Input.Wrapper>
  );
}
