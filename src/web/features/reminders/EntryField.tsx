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
  /** The focus begins here when a dialog opens. */
  isFirst?: boolean;
  /** Stands around the input: a list of what it may mean. */
  around?: (input: ReactElement) => ReactNode;
};

/** A field whose text joins a list by its button or by Enter, which then does not submit. */
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
    // While a word is composed (Japanese, say), Enter ends the word.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // Enter is for the option that the arrows have reached.
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
