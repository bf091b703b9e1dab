import { UnstyledButton } from '@mantine/core';
import { enterAgainText } from '#domain/secret-destination.ts';
import classes from './ChannelForm.module.css';
import type { FormField, StoredSecret } from './draft.ts';

type SecretNoteProps = {
  field: FormField;
  stored: Exclude<StoredSecret, 'none'>;
  /** The fields that would send a saved secret to another destination. */
  changed: readonly FormField[];
  onRemove: () => void;
  onKeep: () => void;
};

/** Explains that a secret is saved, which is never shown, and what saving does to it. */
export function SecretNote({ field, stored, changed, onRemove, onKeep }: SecretNoteProps) {
  const { help, label, required } = field;
  const isLedAway = changed.some(({ name }) => name !== field.name);
  const isBlank = stored === 'kept' || stored === 'asked again';
  return (
    <>
      {help && <span className={classes.help}>{help}</span>}
      <span className={stored === 'asked again' ? classes.asked : undefined}>
        {stored === 'asked again' ? `It ${enterAgainText(changed)}.` : words[stored]}
      </span>{' '}
      {isBlank && !required && (
        <UnstyledButton type="button" className={classes.textButton} aria-label={`Remove ${label}`} onClick={onRemove}>
          Remove
        </UnstyledButton>
      )}
      {!isBlank && !isLedAway && (
        <UnstyledButton type="button" className={classes.textButton} aria-label={`Keep ${label}`} onClick={onKeep}>
          Keep it
        </UnstyledButton>
      )}
    </>
  );
}

const words = {
  kept: 'A value is saved. Type to replace it.',
  replaced: 'Saving replaces the saved value.',
  removed: 'Saving removes the saved value.',
};
