import { PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { NumberField } from '#web/ui/NumberField.tsx';
import classes from './ChannelForm.module.css';
import { changedDestination, type FormField, type Frame, storedSecret, valueOf } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';
import { incomplete } from './incomplete.ts';
import { SecretNote } from './SecretNote.tsx';

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
          classNames={{ input: classes.code }}
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
