import { UnstyledButton } from '@mantine/core';
import classes from './ChannelForm.module.css';
import type { FormField } from './draft.ts';

type SecretNoteProps = {
  field: FormField;
  /** What saving does to the secret that is stored. */
  state: 'kept' | 'replaced' | 'removed';
  onRemove: () => void;
  onKeep: () => void;
};

/** Says of a stored secret, which is never shown, that it is there, and what will become of it. */
export function SecretNote({ field, state, onRemove, onKeep }: SecretNoteProps) {
  const { help, label, required } = field;
  return (
    <>
      {help && <span className={classes.help}>{help}</span>}
      <span>{words[state]}</span>{' '}
      {state === 'kept' && !required && (
        <UnstyledButton type="button" className={classes.textButton} aria-label={`Remove ${label}`} onClick={onRemove}>
          Remove
        </UnstyledButton>
      )}
      {state !== 'kept' && (
        <UnstyledButton type="button" className={classes.textButton} aria-label={`Keep ${label}`} onClick={onKeep}>
          Keep it
        </UnstyledButton>
      )}
    </>
  );
}

const words = {
  kept: 'It is set. Type to replace it.',
  replaced: 'Saving replaces the one that is set.',
  removed: 'Saving removes it.',
};
