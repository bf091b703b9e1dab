import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { templateLimits, templateTypes } from '#contract/templates.ts';
import { FormatField } from '#web/features/message-preview/FormatField.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { useTemplateFormContext } from './form-context.ts';
import { InsertButtons } from './InsertButtons.tsx';
import { useInsertion } from './insertion.ts';
import { LiquidHelp } from './LiquidHelp.tsx';
import { SmsLength } from './SmsLength.tsx';
import { UnlistedVariables } from './UnlistedVariables.tsx';

const typeChoices = templateTypes.map((type) => ({ value: type, label: channelLooks[type].name }));

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
