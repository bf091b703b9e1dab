import { Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import { lazy, Suspense, useRef } from 'react';
import { useEver } from '#web/ui/use-ever.ts';
import { EntryField } from '#web/features/reminders/EntryField.tsx';
import { ActiveVariables } from './ActiveVariables.tsx';
import { withVariable } from './entries.ts';
import { useReminderFormContext } from './form-context.ts';
import { useFormSearch } from './form-search.ts';
import { useInsertAtCursor } from './insert-at-cursor.ts';
import { QuickVariables } from './QuickVariables.tsx';
import classes from './ReminderForm.module.css';
import { VariableValues } from './VariableValues.tsx';

// The message renderer is as large as the form, so it loads separately, with a Temporal polyfill where the browser
// needs one.
const MessagePreview = lazy(async () => {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  return import('./preview/MessagePreview.tsx');
});

/** The message and its variables. */
export function ContentTab() {
  const form = useReminderFormContext();
  // All four tabs stay mounted; the preview loads when this tab is first opened.
  const isWanted = useEver(useFormSearch().tab === 'content');
  const messageRef = useRef<HTMLTextAreaElement>(null);
  const insert = useInsertAtCursor(messageRef, (message) => form.setFieldValue('content.message', message));
  const { variables } = form.values.content;
  const addEntry = () => {
    form.setFieldValue('content.variables', withVariable(variables, form.values.entries.variable));
    form.setFieldValue('entries.variable', '');
  };
  return (
    <div className={classes.columns}>
      <Stack gap={20}>
        <TextInput
          label="Subject"
          withAsterisk
          placeholder="Your rent of {{amount}} is due"
          {...form.getInputProps('content.subject')}
        />
        <Textarea
          ref={messageRef}
          label="Message"
          withAsterisk
          rows={6}
          placeholder="Hello {{recipient_name}}, …"
          {...form.getInputProps('content.message')}
        />
        <QuickVariables
          onPick={(variable) => {
            if (!variables.includes(variable)) form.setFieldValue('content.variables', [...variables, variable]);
            insert(`{{${variable}}}`);
          }}
        />
        <EntryField
          label="Custom variable"
          placeholder="invoice_number"
          addLabel="Add variable"
          error={form.errors['content.variables']}
          value={form.values.entries.variable}
          onType={(text) => form.setFieldValue('entries.variable', text)}
          onAdd={addEntry}
        />
        <ActiveVariables onPick={(variable) => insert(`{{${variable}}}`)} />
        <VariableValues />
      </Stack>
      <Suspense fallback={<Skeleton height={240} />}>{isWanted && <MessagePreview />}</Suspense>
    </div>
  );
}
