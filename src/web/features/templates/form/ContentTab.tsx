import { Button, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { templateLimits, templateTypes } from '#contract/templates.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { withVariable } from './draft.ts';
import { useTemplateFormContext } from './form-context.ts';
import { InsertButtons } from './InsertButtons.tsx';
import { useInsertion } from './insertion.ts';
import { knownVariables } from './known-variables.ts';
import { LiquidHelp } from './LiquidHelp.tsx';
import { namesIn } from './names-in.ts';
import { SmsLength } from './SmsLength.tsx';
import classes from './TemplateForm.module.css';

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
      {content.type === 'sms' && <SmsLength body={content.body} variables={variables.variables} />}
      <UnlistedVariables />
      <InsertButtons names={variables.variables.map(({ name }) => name)} onPick={insertion.insert} />
      <LiquidHelp onPick={insertion.insert} />
    </Stack>
  );
}

/** Lists names in the text that are not variables, with a button to add them. */
function UnlistedVariables() {
  const form = useTemplateFormContext();
  const { content, variables } = form.values;
  const listed = new Set([...knownVariables, ...variables.variables.map(({ name }) => name)]);
  const unlisted = namesIn(`${content.subject}\n${content.body}`).filter((name) => !listed.has(name));
  if (unlisted.length === 0) return null;
  const addAll = () => {
    let draft = form.getValues();
    const { entry } = draft;
    for (const name of unlisted) {
      const added = withVariable(draft, { name, type: 'text' });
      if (added.outcome === 'added') draft = added.draft;
    }
    form.setValues({ ...draft, entry });
  };
  return (
    <div className={classes.unlisted} role="status">
      <span>
        Not a variable of this template: <code>{unlisted.join(', ')}</code>
      </span>
      <Button size="compact-sm" variant="default" onClick={addAll}>
        Add to variables
      </Button>
    </div>
  );
}
