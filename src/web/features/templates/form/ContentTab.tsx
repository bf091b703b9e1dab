import { Button, Group, Input, Select, Stack, Text, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { type FocusEvent, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { templateLimits, templateTypes, type TemplateVariable } from '#contract/templates.ts';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';
import { FormatField } from '#web/features/message-preview/FormatField.tsx';
import { withSamples } from '#web/features/templates/sample-text.ts';
import { TopicField } from '#web/features/topics/TopicField.tsx';
import { choicesOf } from '#web/ui/channel-choices.ts';
import { useTemplateFormContext } from './form-context.ts';
import { knownVariables } from './known-variables.ts';
import { liquidHelp } from './liquid-help.ts';
import classes from './TemplateForm.module.css';
import { UnlistedVariables } from './UnlistedVariables.tsx';

const typeChoices = choicesOf(templateTypes);

/** The text and its variables. */
export function ContentTab() {
  const form = useTemplateFormContext();
  const { content, variables } = form.values;
  const subject = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLTextAreaElement>(null);
  const insertion = useInsertion([
    { field: body, onChange: (text) => form.setFieldValue('content.body', text) },
    { field: subject, onChange: (text) => form.setFieldValue('content.subject', text) },
  ]);
  const chooseType = (value: string | null) => {
    const type = templateTypes.find((known) => known === value);
    if (type) form.setFieldValue('content.type', type);
  };
  return (
    <Stack gap={16}>
      <Select
        label="Type"
        w={{ base: '100%', xs: 200 }}
        allowDeselect={false}
        data={typeChoices}
        value={content.type}
        onChange={chooseType}
        error={form.errors['content.type']}
      />
      {content.type !== 'sms' && (
        <TextInput
          ref={subject}
          label={content.type === 'push' ? 'Title' : 'Subject'}
          placeholder="Your rent of {{amount}} is due"
          maxLength={templateLimits.subject}
          {...form.getInputProps('content.subject')}
          onFocus={insertion.onFocus}
        />
      )}
      <TopicField
        value={content.topic_id ?? null}
        note="Proposed to reminders that start from this template."
        error={form.errors['content.topic_id']}
        onChange={(id) => form.setFieldValue('content.topic_id', id)}
      />
      <Textarea
        ref={body}
        label="Message"
        autosize
        minRows={7}
        maxRows={16}
        placeholder="Hello {{recipient_name}}, …"
        {...form.getInputProps('content.body')}
        onFocus={insertion.onFocus}
      />
      {content.type !== 'webhook' && (
        <FormatField
          value={content.format ?? 'plain'}
          onChange={(format) => form.setFieldValue('content.format', format)}
        />
      )}
      {content.type === 'sms' && <SmsLength body={content.body} variables={variables.variables} />}
      <UnlistedVariables />
      <InsertButtons names={variables.variables.map(({ name }) => name)} onPick={insertion.insert} />
      <LiquidHelp onPick={insertion.insert} />
    </Stack>
  );
}

type InsertButtonsProps = { names: readonly string[]; onPick: (text: string) => void };

/** One button per variable: the template's own first, then the built-in ones. */
function InsertButtons({ names, onPick }: InsertButtonsProps) {
  const id = useId();
  const offered = [...names, ...knownVariables.filter((name) => !names.includes(name))];
  return (
    <div role="group" aria-labelledby={id}>
      <Input.Label id={id} component="div" mb={4}>
        Insert a variable
      </Input.Label>
      <Group gap={6}>
        {offered.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant={names.includes(name) ? 'light' : 'default'}
            fw={450}
            maw="100%"
            onClick={() => onPick(`{{${name}}}`)}
          >
            {name}
          </Button>
        ))}
      </Group>
    </div>
  );
}

/** Examples of filters and conditions; a click inserts one into the text. */
function LiquidHelp({ onPick }: { onPick: (text: string) => void }) {
  return (
    <details className={classes.help}>
      <summary>Filters and conditions</summary>
      <ul>
        {liquidHelp.map(({ example, says }) => (
          <li key={example}>
            <UnstyledButton className={classes.example} onClick={() => onPick(example)} title="Insert">
              <code>{example}</code>
            </UnstyledButton>
            <span>{says}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The number of SMS segments, with sample values for the variables. */
function SmsLength({ body, variables }: { body: string; variables: readonly TemplateVariable[] }) {
  const text = withSamples(body, variables);
  const hasVariables = text !== body;
  return (
    <Text mt="-xs" fz="xs" c="dimmed" role="status">
      {inSegments(segmentsOf(text))} · {text.length.toLocaleString('en')} characters
      {hasVariables && ', with sample values'}
    </Text>
  );
}

type Field = { field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>; onChange: (text: string) => void };

/**
 * Inserts text at the last cursor position, in the field that last had the focus (by default the first), and moves the
 * cursor after it.
 */
function useInsertion(fields: readonly Field[]) {
  const last = useRef<EventTarget>(null);
  const cursor = useRef<{ node: HTMLInputElement | HTMLTextAreaElement; at: number }>(null);
  // The field has its new text only after React has rendered it.
  useLayoutEffect(() => {
    if (cursor.current === null) return;
    const { node, at } = cursor.current;
    node.focus();
    node.setSelectionRange(at, at);
    cursor.current = null;
  });
  return {
    onFocus: ({ currentTarget }: FocusEvent) => {
      last.current = currentTarget;
    },
    insert: (text: string) => {
      const chosen = fields.find(({ field }) => field.current !== null && field.current === last.current) ?? fields[0];
      const node = chosen?.field.current;
      if (!chosen || !node) return;
      const { value } = node;
      const start = node.selectionStart ?? value.length;
      const end = node.selectionEnd ?? start;
      chosen.onChange(value.slice(0, start) + text + value.slice(end));
      cursor.current = { node, at: start + text.length };
    },
  };
}
