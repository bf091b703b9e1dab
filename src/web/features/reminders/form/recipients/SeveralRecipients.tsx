import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { contactLimits } from '#contract/contacts.ts';
import { useReminderFormContext } from '#web/features/reminders/form/form-context.ts';
import { textOfFile } from '#web/ui/text-of-file.ts';
import { type ReadRecipients, readRecipients } from './read-recipients.ts';
import classes from './SeveralRecipients.module.css';

type Report = { kind: 'read'; from: string | null; read: ReadRecipients } | { kind: 'refused'; why: string };

/** Recipients from pasted text or a file: lines, lists and tables; shows the result. */
export function SeveralRecipients() {
  const form = useReminderFormContext();
  const [report, setReport] = useState<Report | null>(null);
  const [isOver, setIsOver] = useState(false);
  const resetFile = useRef<() => void>(null);

  const add = (text: string, from: string | null) => {
    const { content, metadata, entries } = form.getValues();
    const read = readRecipients(text, { recipients: content.recipients, channels: metadata.channels });
    form.setFieldValue('content.recipients', [...content.recipients, ...read.added]);
    // Text typed while a file is read is kept. The header row stays in the first line.
    const waiting = from === null ? '' : entries.recipients.trimEnd();
    form.setFieldValue('entries.recipients', [read.rest, waiting].filter(Boolean).join('\n'));
    setReport({ kind: 'read', from, read });
  };
  const take = async (file: File | null | undefined) => {
    if (!file) return;
    // The reset allows choosing the same file again after a correction.
    resetFile.current?.();
    if (file.size > contactLimits.importBytes)
      return setReport({ kind: 'refused', why: `${file.name} is larger than 2 MB` });
    const text = await textOfFile(file);
    if (text.includes('\0'))
      return setReport({ kind: 'refused', why: `${file.name} is not a text file: save it as CSV` });
    add(text, file.name);
  };
  const drag = (event: DragEvent, over: boolean) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setIsOver(over);
  };

  return (
    <div
      className={classes.anchor}
      data-over={isOver || undefined}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false);
        void take(event.dataTransfer.files[0]);
      }}
    >
      <Textarea
        label="Add several recipients"
        description="One per line, or a list with commas, or a table whose first row says name, email, phone. “Ann Lee <ann@example.com>” also gives the name."
        placeholder={'ann@example.com\n+49 30 1234567\nhttps://example.com/hook'}
        rows={4}
        {...form.getInputProps('entries.recipients')}
      />
      <Group gap={8} mt={8}>
        <Button variant="default" onClick={() => add(form.getValues().entries.recipients, null)}>
          Add all
        </Button>
        <FileButton
          onChange={(file) => void take(file)}
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          resetRef={resetFile}
        >
          {(props) => (
            <Button {...props} variant="subtle" color="gray" leftSection={<IconFileText size={16} aria-hidden />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <span className={classes.note}>or drop one here</span>
      </Group>
      {report?.kind === 'refused' && (
        <Text mt={8} c="var(--mantine-color-error)" role="alert">
          {report.why}
        </Text>
      )}
      {report?.kind === 'read' && <ReadRecipientsText read={report.read} from={report.from} />}
    </div>
  );
}

const namedAtMost = 5;

/** `from`: the name of the file, null for pasted text. */
function ReadRecipientsText({ read, from }: { read: ReadRecipients; from: string | null }) {
  const { unusable } = read;
  const more = unusable.length - namedAtMost;
  return (
    <div className={classes.report} role="status">
      <p>
        {from !== null && `${from}: `}
        {readInWords(read)}
      </p>
      {unusable.length > 0 && (
        <>
          <ul>
            {unusable.slice(0, namedAtMost).map(({ line, text, why }) => (
              <li key={`${line} ${text}`}>
                Line {line}, “{text}”: {why}
              </li>
            ))}
            {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
          </ul>
          <p>{unusable.length === 1 ? 'It is' : 'They are'} left in the box, to be corrected or removed.</p>
        </>
      )}
    </div>
  );
}

/** `3 added, 1 already added, 2 not valid`. */
function readInWords({ added, present, unusable }: ReadRecipients): string {
  const count = (number: number) => number.toLocaleString('en');
  return [
    `${count(added.length)} added`,
    ...(present > 0 ? [`${count(present)} already added`] : []),
    ...(unusable.length > 0 ? [`${count(unusable.length)} not valid`] : []),
  ].join(', ');
}
