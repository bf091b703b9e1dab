import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import type { ReminderSummary } from '#contract/reminders.ts';
import type { ReminderActs } from './act-on-reminder.ts';
import { ReminderHead } from './ReminderHead.tsx';
import { ReminderRow } from './ReminderRow.tsx';
import classes from './ReminderTable.module.css';
import { SelectionBar } from './SelectionBar.tsx';
import { useIsWide } from './use-is-wide.ts';
import { useRowsInView } from './use-rows-in-view.ts';

type ReminderTableProps = {
  reminders: ReminderSummary[];
  acts: ReminderActs;
  /** The rows match the previous filter and are shown until the new ones are loaded. */
  isStale: boolean;
};

/** These heights match the style sheet. */
const heights = { wide: 56, narrow: 104 };

/** Reminders as rows; several can be selected for an action. */
export function ReminderTable({ reminders, acts, isStale }: ReminderTableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const body = useRef<HTMLTableSectionElement>(null);
  const isWide = useIsWide();
  const height = isWide ? heights.wide : heights.narrow;
  const { from, to } = useRowsInView(body, { count: reminders.length, height });
  const toggle = useCallback((id: string) => setChosen((before) => before.symmetricDifference(new Set([id]))), []);
  const selected = reminders.filter(({ id }) => chosen.has(id));
  const toggleAll = () =>
    setChosen(selected.length === reminders.length ? new Set() : new Set(reminders.map(({ id }) => id)));
  return (
    <div className={classes.rows} data-stale={isStale}>
      {selected.length > 0 && <SelectionBar selected={selected} onChange={setChosen} />}
      <table
        className={classes.table}
        aria-label="Reminders"
        aria-rowcount={reminders.length + 1}
        onKeyDown={onKey({ toggle, clear: () => setChosen(new Set()) })}
      >
        <ReminderHead of={reminders.length} selected={selected.length} onToggleAll={toggleAll} />
        <tbody ref={body}>
          <Gap height={from * height} />
          {reminders.slice(from, to).map((reminder, at) => (
            <ReminderRow
              key={reminder.id}
              index={from + at}
              reminder={reminder}
              acts={acts}
              isChosen={chosen.has(reminder.id)}
              onToggle={toggle}
            />
          ))}
          <Gap height={(reminders.length - to) * height} />
        </tbody>
      </table>
    </div>
  );
}

/** The space of rows that are not rendered. */
const Gap = ({ height }: { height: number }) =>
  height === 0 ? null : (
    <tr aria-hidden className={classes.gap}>
      <td colSpan={9} style={{ height }} />
    </tr>
  );

/** x toggles the focused row, Esc clears the selection, arrow keys move between rows. */
const onKey =
  ({ toggle, clear }: { toggle: (id: string) => void; clear: () => void }) =>
  (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    const row = event.target.closest<HTMLElement>('tr[data-id]');
    // React events of a menu in a portal also bubble to here.
    if (row === null || !event.currentTarget.contains(row)) return;
    const id = row.dataset.id ?? '';
    if (event.key === 'x') toggle(id);
    else if (event.key === 'Escape') clear();
    else if (event.key === 'ArrowDown') boxOf(row.nextElementSibling)?.focus();
    else if (event.key === 'ArrowUp') boxOf(row.previousElementSibling)?.focus();
    else return;
    event.preventDefault();
  };

const boxOf = (row: Element | null) => row?.querySelector<HTMLInputElement>('input[type="checkbox"]');
