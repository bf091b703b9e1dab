import { Anchor, Button, Flex, Input, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconInfoCircle, IconPencil, IconQuestionMark } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { keyOf } from '#web/api/query-key.ts';
import { useForecast } from '#web/api/reminders.ts';
import { useReminderFormContext } from '#web/features/reminders/form/form-context.ts';
import { useFormSearch } from '#web/features/reminders/form/form-search.ts';
import { type FormTab, formTabs } from '#web/features/reminders/form/form-tabs.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { useAsked } from '#web/ui/use-asked.ts';
import { type Fill, filledIn, takenBack } from './fill.ts';
import prose from '#web/ui/prose.module.css';
import classes from './PhraseEntry.module.css';
import { loadPhrases, type Reading, readPhrase } from './read-phrase.ts';
import { remarksOf, rowsOf, spokenRefusal, spokenSummary, type SummaryRow } from './summary.ts';

const typingPauseMs = 250;
const longestLine = 1_000;

/** A line in plain language that fills in the tabs below; shows what it understands while the user types. */
export function PhraseEntry({ onEdit }: { onEdit: (tab: FormTab) => void }) {
  const form = useReminderFormContext();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [filled, setFilled] = useState<(Fill & { line: string; reading: Reading }) | null>(null);
  const [spoken, speak] = useState('');
  const text = form.values.entries.phrase;
  const line = text.trim();
  const isFilled = filled !== null && filled.line === line;
  // The zone before the last fill-in, which may have changed it.
  const zone = (filled?.before.schedule ?? form.values.schedule_config).timezone;
  const { preview, read } = useReading(line, zone);

  const fillIn = (line: string) => {
    if (line === '' || read.isPending) return;
    read.mutate(line, {
      onSuccess: (reading) => {
        const rows = rowsOf(reading.understood);
        const remarks = remarksOf(reading);
        if (rows.length === 0 || !reading.understood.isWhole) return speak(spokenRefusal(remarks));
        const { draft, fill } = filledIn(form.getValues(), { understood: reading.understood, last: filled });
        form.setValues(draft);
        form.clearErrors();
        setFilled({ ...fill, line, reading });
        speak(spokenSummary(rows, remarks));
      },
      onError: (error) => notifyFailure('Error', error, 'The line could not be read. Please try again.'),
    });
  };
  const { line: given, change } = useFormSearch();
  useAsked(given, (words) => {
    change({ line: undefined });
    form.setFieldValue('entries.phrase', words);
    fillIn(words.trim());
  });
  const takeBack = () => {
    if (filled === null) return;
    form.setValues(takenBack(form.getValues(), filled));
    setFilled(null);
    speak('Undone.');
    input.current?.focus();
  };
  const fillOnEnter = (event: KeyboardEvent) => {
    // Enter during IME composition (Japanese, for example) ends the composition.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    fillIn(line);
  };

  const shown = isFilled ? filled.reading : preview;
  return (
    <section className={classes.box} aria-label="In one line">
      <Input.Wrapper label="Describe it in one line" labelProps={{ htmlFor: id }}>
        <div className={classes.entry}>
          <TextInput
            ref={input}
            id={id}
            placeholder="Email ann@example.com every 1st at 9am Berlin time that rent is due"
            autoComplete="off"
            maxLength={longestLine}
            value={text}
            // A failed preload is reported when the line is used.
            onFocus={() => void loadPhrases().catch(() => {})}
            onChange={(event) => form.setFieldValue('entries.phrase', event.currentTarget.value)}
            onKeyDown={fillOnEnter}
          />
          <Button variant="default" onClick={() => fillIn(line)} loading={read.isPending} disabled={line === ''}>
            Fill in
          </Button>
        </div>
      </Input.Wrapper>
      {line === '' && (
        <Anchor href="/docs/phrases" target="_blank" size="xs">
          What the line understands
        </Anchor>
      )}
      {line !== '' && shown && (
        <PhraseSummary reading={shown} onEdit={isFilled ? onEdit : null} onUndo={filled === null ? null : takeBack} />
      )}
      <VisuallyHidden role="status">{spoken}</VisuallyHidden>
    </section>
  );
}

/** The reading of a line, updated when the user stops typing; `read` returns the current reading. */
function useReading(line: string, zone: string) {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const [settled] = useDebouncedValue(line, typingPauseMs);
  const mean = (words: string) => readPhrase(words, { zone, workspaceId, queryClient });
  const { data } = useQuery({
    queryKey: keyOf(workspaceId, 'phrase', 'one', { zone, settled }),
    queryFn: () => mean(settled),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  return { preview: data, read: useMutation({ mutationFn: mean }) };
}

type PhraseSummaryProps = {
  reading: Reading;
  /** Opens a tab; null until the form is filled in. */
  onEdit: ((tab: FormTab) => void) | null;
  onUndo: (() => void) | null;
};

const icons = { problem: IconAlertTriangle, unknown: IconQuestionMark, note: IconInfoCircle };

/** The reading of a line, with remarks. */
function PhraseSummary({ reading, onEdit, onUndo }: PhraseSummaryProps) {
  const rows = rowsOf(reading.understood);
  const remarks = remarksOf(reading);
  return (
    <div className={classes.summary}>
      {rows.length > 0 && (
        <ul className={classes.chips} aria-label="Understood">
          {rows.map((row) => (
            <li key={row.label}>{onEdit ? <EditChip row={row} onEdit={onEdit} /> : <Chip row={row} />}</li>
          ))}
        </ul>
      )}
      {reading.understood.schedule && <NextTimes schedule={reading.understood.schedule.config} />}
      {remarks.length > 0 && (
        <ul className={classes.remarks} aria-label="Please check">
          {remarks.map(({ kind, text }) => {
            const Icon = icons[kind];
            return (
              <li key={`${kind} ${text}`} data-kind={kind}>
                <Icon size={16} stroke={1.8} aria-hidden />
                <span>{text}</span>
              </li>
            );
          })}
        </ul>
      )}
      {!reading.understood.isWhole && (
        <Flex component="p" gap={4} align="center" m={0} fz={13}>
          Nothing is filled in until all of the line is understood.
        </Flex>
      )}
      {onUndo && (
        <Flex component="p" gap={4} align="center" m={0} fz={13}>
          <span>{onEdit ? 'Filled in below.' : 'The previous line is filled in below.'}</span>
          <Button size="compact-sm" variant="subtle" onClick={onUndo}>
            Undo
          </Button>
        </Flex>
      )}
    </div>
  );
}

const timesShown = 3;

/** The next times of what repeats; the sentence already names a single one. */
function NextTimes({ schedule }: { schedule: ScheduleConfig }) {
  const isRepeated = schedule.type === 'scheduled' && schedule.scheduleType !== 'once';
  const { data } = useForecast(isRepeated ? schedule : null);
  if (!isRepeated || data === undefined || data.occurrences.length === 0) return null;
  return (
    <Flex gap={12} fz={13} c="dimmed" className="figures">
      <span>Next</span>
      <ul className={classes.times} aria-label="Next times">
        {data.occurrences.slice(0, timesShown).map((at) => (
          <li key={at}>
            <InstantText at={at} zone={schedule.timezone} />
          </li>
        ))}
      </ul>
    </Flex>
  );
}

const Chip = ({ row }: { row: SummaryRow }) => (
  <span className={classes.chip}>
    <ChipWords row={row} />
  </span>
);

function EditChip({ row, onEdit }: { row: SummaryRow; onEdit: (tab: FormTab) => void }) {
  const tab = formTabs.find(({ id }) => id === row.tab)?.label;
  return (
    <button type="button" className={classes.chip} onClick={() => onEdit(row.tab)}>
      <ChipWords row={row} />
      <VisuallyHidden> Edit under {tab}</VisuallyHidden>
      <IconPencil size={14} aria-hidden />
    </button>
  );
}

const ChipWords = ({ row: { label, text } }: { row: SummaryRow }) => (
  <>
    <span className={prose.dimIcon}>{label} </span>
    <span className={classes.text} title={text}>
      {text}
    </span>
  </>
);
