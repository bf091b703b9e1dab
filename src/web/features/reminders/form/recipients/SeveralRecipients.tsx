import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { type DragEvent, Suspense, useRef, useState } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { counted } from '#domain/in-words.ts';
import { type Audience, isAudience, matchKey, withoutTwice } from '#contract/audience.ts';
import { contactLimits } from '#contract/contacts.ts';
import { useReminderFormContext } from '#web/features/reminders/form/form-context.ts';
import { textOfFile } from '#web/ui/text-of-file.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { type PeopleTable, peopleTableIn, type ReadRecipients, readRecipients } from './read-recipients.ts';
import classes from './SeveralRecipients.module.css';

const ImportPeople = lazyPart(() => import('./ImportPeople.tsx'));

/** `from`: the name of the file, null for pasted text. */
type Given = { text: string; from: string | null };
type Report =
  | { kind: 'read'; from: string | null; read: ReadRecipients }
  | { kind: 'table'; given: Given; table: PeopleTable }
  | { kind: 'imported'; tag: string }
  | { kind: 'refused'; why: string };

/** Recipients from pasted text or a file: lines, lists and tables; shows the result. */
export function SeveralRecipients() {
  const form = useReminderFormContext();
  const [report, setReport] = useState<Report | null>(null);
  const [isOver, setIsOver] = useState(false);
  const resetFile = useRef<() => void>(null);
  const { state, dialog, open } = useDialogState<Given>();

  /** A table has more than recipients in it: what becomes of that is asked before it is lost. */
  const addOrAsk = (given: Given) => {
    const table = peopleTableIn(given.text);
    const isAsked = table !== null && table.rows > 0 && (given.from !== null || table.others.length > 0);
    if (isAsked) setReport({ kind: 'table', given, table });
    else add(given);
  };
  const add = ({ text, from }: Given) => {
    const { content, metadata, entries } = form.getValues();
    const read = readRecipients(text, { recipients: content.recipients, channels: metadata.channels });
    form.setFieldValue('content.recipients', [...content.recipients, ...read.added]);
    // Text typed while a file is read is kept. The header row stays in the first line.
    const waiting = from === null ? '' : entries.recipients.trimEnd();
    form.setFieldValue('entries.recipients', [read.rest, waiting].filter(Boolean).join('\n'));
    setReport({ kind: 'read', from, read });
  };
  const choosePeople = (tag: string, given: Given) => {
    const { audience } = form.getValues().metadata;
    form.setFieldValue('metadata.audience', { ...audience, tags: withoutTwice([...(audience?.tags ?? []), tag]) });
    form.clearFieldError('content.recipients');
    if (given.from === null) form.setFieldValue('entries.recipients', '');
    setReport({ kind: 'imported', tag });
  };
  const leavePeople = (tag: string) => {
    form.setFieldValue('metadata.audience', (audience) => withoutTag(audience, tag));
    setReport(null);
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
    addOrAsk({ text, from: file.name });
  };
  const drag = (event: DragEvent, over: boolean) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setIsOver(over);
  };

  return (
    <>
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
          <Button variant="default" onClick={() => addOrAsk({ text: form.getValues().entries.recipients, from: null })}>
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
        {report?.kind === 'table' && (
          <TableQuestion
            name={report.given.from ?? 'This table'}
            table={report.table}
            onImport={() => open(report.given)}
            onAdd={() => add(report.given)}
            onCancel={() => setReport(null)}
          />
        )}
        {report?.kind === 'imported' && (
          <p className={classes.report} role="status">
            Chosen under People: everyone with the tag {report.tag}.
          </p>
        )}
      </div>
      {/* Outside the target of dropped files, and its events bubble to the form. */}
      <div className={classes.dialog} onSubmit={(event) => event.stopPropagation()}>
        <Suspense>
          {state.asked !== null && (
            <ImportPeople
              key={state.openCount}
              {...dialog}
              given={state.asked}
              onChosen={(tag) => state.asked !== null && choosePeople(tag, state.asked)}
              onUndone={leavePeople}
            />
          )}
        </Suspense>
      </div>
    </>
  );
}

function withoutTag(audience: Audience | undefined, tag: string): Audience | undefined {
  const tags = (audience?.tags ?? []).filter((other) => matchKey(other) !== matchKey(tag));
  const { tags: _, ...others } = audience ?? {};
  const left = tags.length > 0 ? { ...others, tags } : others;
  return isAudience(left) ? left : undefined;
}

type TableQuestionProps = {
  name: string;
  table: PeopleTable;
  onImport: () => void;
  onAdd: () => void;
  onCancel: () => void;
};

/** What becomes of a table of people: contacts with all of its columns, or only their addresses. */
function TableQuestion({ name, table: { rows, others }, onImport, onAdd, onCancel }: TableQuestionProps) {
  const columns = others.slice(0, namedAtMost).join(', ');
  const more = others.length - namedAtMost;
  return (
    <div className={classes.question} role="group" aria-label="What to do with the table">
      <p role="status">
        {name} lists {counted(rows, 'person', 'people')}.
        {others.length > 0 &&
          ` Imported as contacts, they keep ${others.length === 1 ? 'the column' : 'the columns'} ${columns}${more > 0 ? ` and ${more} more` : ''}, which the message can use.`}{' '}
        Whoever is a contact already stays one person. As plain addresses, somebody with an email address and a phone
        number is two recipients.
      </p>
      <Group gap={8} mt={12}>
        <Button onClick={onImport}>Import as contacts</Button>
        <Button variant="default" onClick={onAdd}>
          Only add the addresses
        </Button>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
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
