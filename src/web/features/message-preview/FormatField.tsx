import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Input, SegmentedControl } from '@mantine/core';
import { MessageFormat } from '#contract/message-format.ts';

const choices = [
  { value: 'markdown', label: 'Markdown' },
  { value: 'plain', label: 'Plain text' },
] satisfies { value: MessageFormat; label: string }[];

const notes = {
  markdown: '**bold**, *italic*, # heading, - list, > quote, [text](https://…). Each channel shows it in its own form.',
  plain: 'Every character is sent as it is written.',
} satisfies Record<MessageFormat, string>;

type FormatFieldProps = { value: MessageFormat; onChange: (format: MessageFormat) => void };

/** How the text of a message is read. */
export function FormatField({ value, onChange }: FormatFieldProps) {
  return (
    <Input.Wrapper label="Format" description={notes[value]} inputWrapperOrder={['label', 'input', 'description']}>
      <div>
        <SegmentedControl
          aria-label="Format"
          size="xs"
          data={choices}
          value={value}
          onChange={(chosen) => onChange(MessageFormat.parse(chosen))}
        />
      </div>
    </Input.Wrapper>
  );
}
