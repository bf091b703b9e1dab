import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Box, Button, Group, SegmentedControl, Skeleton, Stack, Tabs, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconVariable } from '@tabler/icons-react';
import { useState } from 'react';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import type { Preview as FilledPreview } from '#contract/template-previews.ts';
import { type Template, templateLimits } from '#contract/templates.ts';
import { messageOfTemplate } from '#domain/message-of-template.ts';
import { type NamedTemplate, usePreview } from '#web/api/templates.ts';
import { placeholdersOf } from '#web/features/message-preview/channel-text.ts';
import { ChannelMessage } from '#web/features/message-preview/ChannelMessage.tsx';
import { SendToMyself } from '#web/features/message-preview/SendToMyself.tsx';
import { namesIn } from '#web/features/templates/form/names-in.ts';
import { sampleOf } from '#web/features/templates/sample-text.ts';
import { WholeTemplate } from '#web/features/templates/WholeTemplate.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import prose from '#web/ui/prose.module.css';
import { Loaded } from '#web/ui/Record.tsx';

type PreviewDialogProps = { template: NamedTemplate; opened: boolean; onClose: () => void };

/** A template as its reader gets it, rendered by the renderer of real messages with editable sample values. */
export default function PreviewDialog({ template, opened, onClose }: PreviewDialogProps) {
  return (
    <Dialog title={`Preview: ${template.name}`} opened={opened} onClose={onClose} width={680}>
      <WholeTemplate id={template.id}>{(whole) => <Preview template={whole} onClose={onClose} />}</WholeTemplate>
    </Dialog>
  );
}

function Preview({ template, onClose }: { template: Template; onClose: () => void }) {
  const names = variablesOf(template);
  const samples = () => samplesOf(template, names);
  const [values, setValues] = useState(samples);
  const [settled] = useDebouncedValue(values, 300);
  return (
    <>
      <Tabs defaultValue="preview" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="preview" h={40} py={0}>
            Preview
          </Tabs.Tab>
          <Tabs.Tab value="values" h={40} py={0}>
            Test Variables
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="preview" pt="md" pb={20} mih={320}>
          <PreviewTab template={template} values={settled} />
        </Tabs.Panel>
        <Tabs.Panel value="values" pt="md" pb={20} mih={320}>
          <ValuesTab
            template={template}
            names={names}
            values={values}
            onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          />
        </Tabs.Panel>
      </Tabs>
      <Group justify="flex-end" gap={8}>
        {names.length > 0 && (
          <Button variant="default" onClick={() => setValues(samples())}>
            Reset values
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </Group>
    </>
  );
}

/** The listed variables, then those that only the text names. */
const variablesOf = ({ content, variables }: Template): string[] => [
  ...new Set([...variables.variables.map(({ name }) => name), ...namesIn(`${content.subject}\n${content.body}`)]),
];

function samplesOf({ variables }: Template, names: readonly string[]): Record<string, string> {
  const now = new Date();
  return Object.fromEntries(names.map((name) => [name, sampleOf(name, { variables: variables.variables, now })]));
}

type ValuesTabProps = {
  template: Template;
  names: readonly string[];
  values: Readonly<Record<string, string>>;
  onChange: (name: string, value: string) => void;
};

/** A field for the sample value of each variable. */
function ValuesTab({ template, names, values, onChange }: ValuesTabProps) {
  if (names.length === 0)
    return <EmptyState icon={IconVariable} title="No variables" sentence="This text is the same in every message." />;
  return (
    <Stack gap={12}>
      {names.map((name) => {
        const variable = template.variables.variables.find((listed) => listed.name === name);
        return (
          <TextInput
            key={name}
            label={name}
            classNames={{ label: prose.breaks ?? '' }}
            description={variable?.description || undefined}
            type={variable?.type === 'email' ? 'email' : 'text'}
            inputMode={variable?.type === 'number' ? 'decimal' : undefined}
            autoComplete="off"
            maxLength={templateLimits.value}
            value={values[name] ?? ''}
            onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
          />
        );
      })}
    </Stack>
  );
}

type PreviewTabProps = { template: Template; values: Readonly<Record<string, string>> };

/** The message as its recipient sees it, in each channel. */
function PreviewTab({ template, values }: PreviewTabProps) {
  const { content, variables } = template;
  const [channel, setChannel] = useState<ChannelType>(content.type);
  const preview = usePreview({ content, channel, variables, values });
  return (
    <>
      <SegmentedControl
        aria-label="Channel"
        fullWidth
        size="xs"
        data={channelTypes.map((value) => ({ value, label: channelLooks[value].name }))}
        value={channel}
        onChange={(chosen) => setChannel(channelTypes.find((one) => one === chosen) ?? content.type)}
      />
      <Loaded
        of={preview}
        failed="Error loading the preview"
        skeleton={<Skeleton h={300} aria-busy role="status" aria-label="Loading the preview" />}
      >
        {(shown) => (
          <>
            <PreviewProblems preview={shown} />
            <Message channel={channel} template={template} values={values} preview={shown} />
          </>
        )}
      </Loaded>
    </>
  );
}

type MessageProps = PreviewTabProps & { channel: ChannelType; preview: FilledPreview };

function Message({ channel, template: { name, content, variables }, values, preview }: MessageProps) {
  const { subject, message, defaults } = messageOfTemplate({ content, variables });
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  return (
    <>
      <ChannelMessage
        channel={channel}
        subject={preview.subject || name}
        body={preview.body}
        html={preview.html}
        mentions={preview.mentions}
        missing={preview.missing}
      />
      <Box mt="sm">
        <SendToMyself
          channel={channel}
          message={{
            subject: subject || name,
            message,
            format: content.format,
            values: { ...defaults, ...Object.fromEntries(given), ...placeholdersOf(preview.missing) },
          }}
        />
      </Box>
    </>
  );
}

/** The problems that would prevent a message. */
function PreviewProblems({ preview: { missing, problems } }: { preview: FilledPreview }) {
  if (missing.length === 0 && problems.length === 0) return null;
  return (
    <Box mb={12}>
      <Notice role="alert">
        {missing.length > 0 && (
          <div>
            Without a value: <code>{missing.join(', ')}</code>. A message is not sent while a value is missing.
          </div>
        )}
        {problems.map(({ part, message }) => (
          <div key={part}>
            The {part === 'body' ? 'message' : 'subject'} cannot be filled in: {message}
          </div>
        ))}
      </Notice>
    </Box>
  );
}
