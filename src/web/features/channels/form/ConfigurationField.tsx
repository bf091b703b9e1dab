import { NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import classes from './ChannelForm.module.css';
import { type FormField, type Frame, isSet, valueOf } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';
import { incomplete } from './incomplete.ts';
import { SecretNote } from './SecretNote.tsx';

// What a browser keeps for its own forms has no place among the keys of a provider.
const noMemory = { autoComplete: 'off', 'data-1p-ignore': true, 'data-lpignore': 'true' };

/** The input that a provider asks for, as its kind wants it. */
export function ConfigurationField({ field, frame }: { field: FormField; frame: Frame }) {
  const form = useChannelFormContext();
  const path = `configuration.${field.name}`;
  const value = valueOf(field, form.values);
  const change = (next: string | number | boolean | null) => form.setFieldValue(path, next);
  const type = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value);
  const isStored = isSet(field, { draft: form.values, frame });
  const isRemoved = isStored && form.values.configuration[field.name] === null;
  const common = {
    label: field.label,
    placeholder: isStored && !isRemoved ? '••••••••' : field.placeholder,
    // One that is stored need not be typed again.
    required: field.required && !isStored,
    withAsterisk: field.required,
    error: errorOf(form.errors[path]),
    description: isStored ? (
      <SecretNote
        field={field}
        state={isRemoved ? 'removed' : value === '' ? 'kept' : 'replaced'}
        onRemove={() => change(null)}
        onKeep={() => change('')}
      />
    ) : (
      field.help
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
          visibilityToggleButtonProps={{ 'aria-label': `Show or hide ${field.label}` }}
          value={String(value)}
          onChange={type}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          hideControls
          allowNegative={false}
          value={typeof value === 'boolean' ? '' : value}
          onChange={change}
        />
      );
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

/** What is missing is named above all fields, once. */
const errorOf = (error: unknown) => (error === incomplete ? 'Required' : typeof error === 'string' ? error : undefined);
