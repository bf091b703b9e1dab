import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { contactLimits } from '#contract/contacts.ts';
import type { ContactForm } from './contact-draft.ts';
import classes from './dialogs.module.css';

let made = 0;

/** The contact's own values, each with the name that messages use for it. */
export function ValueRows({ form }: { form: ContactForm }) {
  const { values } = form.getValues();
  const firstLacked = values.findIndex(({ isSuggested }) => isSuggested);
  const add = () => {
    made += 1;
    form.insertListItem('values', { name: '', value: '', key: `new ${made}` });
  };
  return (
    <fieldset className={classes.values}>
      <legend>Own values</legend>
      <p className={classes.note}>
        Messages use the value <code>amount</code> for <code>{'{{amount}}'}</code>, unless the reminder sets its own.
      </p>
      {values.map(({ name, key }, index) => (
        <div key={key} className={classes.value}>
          <TextInput
            aria-label={`Name of value ${index + 1}`}
            placeholder="amount"
            className={classes.code}
            maxLength={100}
            autoFocus={name === '' && key.startsWith('new')}
            {...form.getInputProps(`values.${index}.name`)}
          />
          <Textarea
            aria-label={name === '' ? `Value ${index + 1}` : name}
            placeholder="950 €"
            rows={1}
            autosize
            maxRows={5}
            maxLength={contactLimits.value}
            data-autofocus={index === firstLacked || undefined}
            {...form.getInputProps(`values.${index}.value`)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove ${name === '' ? `value ${index + 1}` : name}`}
            onClick={() => form.removeListItem('values', index)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={add}
        disabled={values.length >= contactLimits.variables}
      >
        Add value
      </Button>
    </fieldset>
  );
}
