import { Button, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconPencil, IconQuestionMark } from '@tabler/icons-react';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { useForecast } from '#web/api/reminders.ts';
import { type FormTab, formTabs } from '#web/features/reminders/form/form-tabs.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import classes from './PhraseEntry.module.css';
import type { Reading } from './read-phrase.ts';
import { remarksOf, rowsOf, type SummaryRow } from './summary.ts';

type PhraseSummaryProps = {
  reading: Reading;
  /** Opens a tab; null until the form is filled in. */
  onEdit: ((tab: FormTab) => void) | null;
  onUndo: (() => void) | null;
};

const icons = { problem: IconAlertTriangle, unknown: IconQuestionMark, note: IconInfoCircle };

/** The reading of a line, with remarks. */
export function PhraseSummary({ reading, onEdit, onUndo }: PhraseSummaryProps) {
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
        <p className={classes.done}>Nothing is filled in until all of the line is understood.</p>
      )}
      {onUndo && (
        <p className={classes.done}>
          <span>{onEdit ? 'Filled in below.' : 'The previous line is filled in below.'}</span>
          <Button size="compact-sm" variant="subtle" onClick={onUndo}>
            Undo
          </Button>
        </p>
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
    <div className={classes.next}>
      <span>Next</span>
      <ul className={classes.times} aria-label="Next times">
        {data.occurrences.slice(0, timesShown).map((at) => (
          <li key={at}>
            <InstantText at={at} zone={schedule.timezone} />
          </li>
        ))}
      </ul>
    </div>
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
    <span className={classes.label}>{label} </span>
    <span className={classes.text} title={text}>
      {text}
    </span>
  </>
);
