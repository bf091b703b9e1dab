import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Box, PasswordInput, Select, Switch, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { enterAgainText } from '#domain/secret-destination.ts';
import { NumberField } from '#web/ui/NumberField.tsx';
import classes from './ChannelForm.module.css';
import { changedDestination, type FormField, type Frame, storedSecret, type StoredSecret, valueOf } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';
import { incomplete } from './incomplete.ts';

// Browsers and password managers must not fill in or save provider credentials.
const noMemory = { autoComplete: 'off', 'data-1p-ignore': true, 'data-lpignore': 'true' };

/** The input of a provider's field, by its kind. */
export function ConfigurationField({ field, frame }: { field: FormField; frame: Frame }) {
  const form = useChannelFormContext();
  const path = `configuration.${field.name}`;
  const value = valueOf(field, form.values);
  const change = (next: string | number | boolean | null) => form.setFieldValue(path, next);
  const type = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value);
  const stored = storedSecret(field, { draft: form.values, frame });
  const isKept = stored === 'kept' || stored === 'replaced';
  const isAsked = stored === 'asked again';
  const common = {
    label: field.label,
    placeholder: isKept ? '••••••••' : field.placeholder,
    // A saved secret is required again only when its destination changes.
    required: isAsked || (field.required && stored === 'none'),
    withAsterisk: isAsked || field.required,
    error: form.errors[path] === incomplete && stored === 'kept' ? undefined : errorOf(form.errors[path]),
    description:
      stored === 'none' ? (
        field.help
      ) : (
        <SecretNote
          field={field}
          stored={stored}
          changed={changedDestination(form.values, frame)}
          onRemove={() => change(null)}
          onKeep={() => change('')}
        />
      ),
  };
  switch (field.kind) {
    case 'text':
      return <TextInput {...common} {...noMemory} value={String(value)} onChange={type} />;
    case 'password':
      return (
        <PasswordInput
          {...common}
          {...noMemory}
          autoComplete="new-password"
          // Mantine sets this on every other input; the form focuses the first such field when saving is refused.
          aria-invalid={common.error === undefined ? undefined : true}
          visibilityToggleButtonProps={{ 'aria-label': `Show or hide ${field.label}` }}
          value={String(value)}
          onChange={type}
        />
      );
    case 'number':
      return <NumberField {...common} value={typeof value === 'boolean' ? '' : value} onChange={change} />;
    case 'select':
      return (
        <Select
          {...common}
          data={field.options ?? []}
          searchable={(field.options?.length ?? 0) > 10}
          clearable={!field.required && field.default === undefined}
          allowDeselect={false}
          value={value === '' ? null : String(value)}
          onChange={(chosen) => change(chosen ?? '')}
        />
      );
    case 'textarea':
    case 'json':
      return (
        <Textarea
          {...common}
          {...noMemory}
          classNames={{ input: 'mono' }}
          rows={3}
          spellCheck={false}
          value={String(value)}
          onChange={type}
        />
      );
    case 'switch':
      return (
        <Switch
          label={field.label}
          aria-label={field.label}
          description={field.help}
          error={common.error}
          checked={value === true}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
      );
    default:
      return field.kind satisfies never;
  }
}

/** Missing fields are listed once above all fields. */
const errorOf = (error: unknown) => (error === incomplete ? 'Required' : typeof error === 'string' ? error : undefined);

type SecretNoteProps = {
  field: FormField;
  stored: Exclude<StoredSecret, 'none'>;
  /** The fields that would send a saved secret to another destination. */
  changed: readonly FormField[];
  onRemove: () => void;
  onKeep: () => void;
};

/** Explains that a secret is saved, which is never shown, and what saving does to it. */
function SecretNote({ field, stored, changed, onRemove, onKeep }: SecretNoteProps) {
  const { help, label, required } = field;
  const isLedAway = changed.some(({ name }) => name !== field.name);
  const isBlank = stored === 'kept' || stored === 'asked again';
  return (
    <>
      {help && (
        <Box component="span" display="block">
          {help}
        </Box>
      )}
      <Box component="span" {...(stored === 'asked again' && { c: 'var(--status-waiting)' })}>
        {stored === 'asked again' ? `It ${enterAgainText(changed)}.` : words[stored]}
      </Box>{' '}
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
