import {
  Box,
  Button,
  Group,
  Input,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { type RefObject, Suspense, useId, useLayoutEffect, useRef, useState } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { isAddressed } from '#contract/channel-types.ts';
import { quickVariables } from '#contract/reminders.ts';
import { personVariables } from '#domain/variables.ts';
import { useContactVariables } from '#web/api/contacts.ts';
import { FormatField } from '#web/features/message-preview/FormatField.tsx';
import { ChipList } from '#web/features/reminders/ChipList.tsx';
import { EntryField } from '#web/features/reminders/EntryField.tsx';
import { useTopicOf } from '#web/features/topics/default-topic.ts';
import { TopicField } from '#web/features/topics/TopicField.tsx';
import { useEver } from '#web/ui/use-ever.ts';
import { ChipListHead } from './ChipListHead.tsx';
import { showsSubject, withVariable } from './entries.ts';
import { useReminderFormContext } from './form-context.ts';
import { useFormSearch } from './form-search.ts';
import classes from './ReminderForm.module.css';
import { spellingIn, withoutNames } from './variable-names.ts';
import { needingValue, valuesWithout } from './variable-values.ts';
import { VariableField } from './VariableField.tsx';
import { useVariablesOfPeople } from './variables-of-people.ts';

// The message renderer is as large as the form, so it loads separately, with a Temporal polyfill where the browser
// needs one.
const MessagePreview = lazyPart(async () => {
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
  const topic = useTopicOf(content.topic_id);
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
        <TopicField
          value={topic}
          error={form.errors['content.topic_id']}
          onChange={(id) => {
            form.clearFieldError('content.topic_id');
            form.setFieldValue('content.topic_id', id);
          }}
        />
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

/** The variables of this reminder: a click inserts one; removing one also removes its value. */
function ActiveVariables({ onPick }: { onPick: (variable: string) => void }) {
  const form = useReminderFormContext();
  const { content } = form.values;
  const { variables } = content;
  const keep = (left: string[]) => {
    form.setFieldValue('content.variables', left);
    form.setFieldValue('content.values', valuesWithout(variables, { ...content, variables: left }));
  };
  if (variables.length === 0) return null;
  return (
    <Box p="8px 12px 12px" bd="1px solid var(--line)" bdrs="md">
      <ChipListHead title="Active variables" clearLabel="Clear All" onClear={() => keep([])} />
      <ChipList
        label="Active variables"
        chips={variables}
        onPick={onPick}
        onRemove={(index) => keep(variables.filter((_, at) => at !== index))}
      />
    </Box>
  );
}

const shownAtFirst = 12;

/** One button per common variable, below them one per field of a contact, and one per value that contacts have. */
function QuickVariables({ onPick }: { onPick: (variable: string) => void }) {
  const { data: own = [] } = useContactVariables();
  const [isWhole, showAll] = useState(false);
  const others = withoutNames(own, [...quickVariables, ...personVariables]);
  const shown = isWhole ? others : others.slice(0, shownAtFirst);
  const isToPeople = useReminderFormContext().values.metadata.channels.some(isAddressed);
  const hidden = others.length - shown.length;
  return (
    <>
      <Chips label="Quick variables" names={quickVariables} onPick={onPick} />
      {isToPeople && <Chips label="Fields of contacts" names={personVariables} onPick={onPick} />}
      {isToPeople && others.length > 0 && (
        <Chips label="Values of contacts" names={shown} onPick={onPick}>
          {hidden > 0 && (
            <Button size="compact-sm" variant="subtle" fw={450} onClick={() => showAll(true)}>
              {hidden} more
            </Button>
          )}
        </Chips>
      )}
    </>
  );
}

type ChipsProps = {
  label: string;
  names: readonly string[];
  onPick: (variable: string) => void;
  children?: React.ReactNode;
};

function Chips({ label, names, onPick, children }: ChipsProps) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <Input.Label id={id} component="div" mb={4}>
        {label}
      </Input.Label>
      <Group gap={6}>
        {names.map((variable) => (
          <Button key={variable} size="compact-sm" variant="default" fw={450} onClick={() => onPick(variable)}>
            {variable}
          </Button>
        ))}
        {children}
      </Group>
    </div>
  );
}

/** A field for each variable that messages do not fill in themselves. */
function VariableValues() {
  const form = useReminderFormContext();
  const { content } = form.values;
  const { values } = content;
  const own = useVariablesOfPeople();
  const names = needingValue(content);
  if (names.length === 0) return null;
  const isEvent = form.values.schedule_config.type === 'event-based';
  const isToPeople = form.values.metadata.channels.some(isAddressed);
  // The server names a variable as the text does.
  const errorPath = (name: string) => spellingIn(form.errors, `content.values.${name}`);
  return (
    <section className={classes.values} aria-labelledby="variable-values">
      <Title order={2} size="h4" id="variable-values">
        Values
      </Title>
      <Text mt={2} mb={12} c="dimmed">
        {isEvent
          ? 'They override the values of the event and of the contact.'
          : `${isToPeople ? 'Leave a value blank to use the one of each contact. ' : ''}A message with a missing value is not sent.`}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing={16}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={name}
            placeholder={isToPeople && withoutNames([name], own).length === 0 ? 'From each contact' : undefined}
            error={form.errors[errorPath(name)]}
            value={values[spellingIn(values, name)] ?? ''}
            onChange={(event) => {
              form.clearFieldError(errorPath(name));
              form.setFieldValue('content.values', {
                ...values,
                [spellingIn(values, name)]: event.currentTarget.value,
              });
            }}
          />
        ))}
      </SimpleGrid>
    </section>
  );
}

/** Inserts text at the last cursor position of a field, and moves the cursor after it. */
function useInsertAtCursor(
  field: RefObject<HTMLTextAreaElement | null>,
  onChange: (text: string) => void,
): (text: string) => void {
  const cursor = useRef<number | null>(null);
  // The field has its new text only after React has rendered it.
  useLayoutEffect(() => {
    if (cursor.current === null) return;
    field.current?.focus();
    field.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  });
  return (text) => {
    const node = field.current;
    if (!node) return;
    const { value, selectionStart, selectionEnd } = node;
    onChange(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
    cursor.current = selectionStart + text.length;
  };
}
