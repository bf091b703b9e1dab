import { Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import { lazy, Suspense, useRef } from 'react';
import { useEver } from '#web/ui/use-ever.ts';
import { FormatField } from '#web/features/message-preview/FormatField.tsx';
import { EntryField } from '#web/features/reminders/EntryField.tsx';
import { ActiveVariables } from './ActiveVariables.tsx';
import { showsSubject, withVariable } from './entries.ts';
import { useReminderFormContext } from './form-context.ts';
import { useFormSearch } from './form-search.ts';
import { useInsertAtCursor } from './insert-at-cursor.ts';
import { QuickVariables } from './QuickVariables.tsx';
import classes from './ReminderForm.module.css';
import { VariableField } from './VariableField.tsx';
import { withoutNames } from './variable-names.ts';
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
  const { content, metadata, name } = form.values;
  const hasSubject = showsSubject(metadata.channels);
  const { variables } = content;
  const set = (path: 'content.subject' | 'content.message', text: string) => {
    form.clearFieldError(path);
    form.setFieldValue(path, text);
  };
  const addEntry = () => {
    form.setFieldValue('content.variables', withVariable(variables, form.values.entries.variable));
    form.setFieldValue('entries.variable', '');
  };
  return (
    <div className={classes.columns}>
      <Stack gap={20}>
        <VariableField value={content.subject} onType={(text) => set('content.subject', text)}>
          <TextInput
            label="Subject"
            withAsterisk={hasSubject}
            description={hasSubject ? undefined : 'SMS and WhatsApp do not show it. Left blank, it is the title.'}
            placeholder={hasSubject || name.trim() === '' ? 'Your rent of {{amount}} is due' : name}
            {...form.getInputProps('content.subject')}
          />
        </VariableField>
        <VariableField value={content.message} onType={(text) => set('content.message', text)}>
          <Textarea
            ref={messageRef}
            label="Message"
            withAsterisk
            rows={6}
            placeholder="Hello {{recipient_name}}, …"
            {...form.getInputProps('content.message')}
          />
        </VariableField>
        <FormatField value={content.format} onChange={(format) => form.setFieldValue('content.format', format)} />
        <QuickVariables
          onPick={(variable) => {
            if (withoutNames([variable], variables).length > 0)
              form.setFieldValue('content.variables', [...variables, variable]);
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
