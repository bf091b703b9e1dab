import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import type { Reminder } from '#contract/reminders.ts';
import type { ReminderActs } from './act-on-reminder.ts';
import { ReminderHead } from './ReminderHead.tsx';
import { ReminderRow } from './ReminderRow.tsx';
import classes from './ReminderTable.module.css';
import { SelectionBar } from './SelectionBar.tsx';
import { useIsWide } from './use-is-wide.ts';
import { useRowsInView } from './use-rows-in-view.ts';

type ReminderTableProps = {
  reminders: Reminder[];
  acts: ReminderActs;
  /** The rows are of the filter before, shown until those of the new one come. */
  isStale: boolean;
};

/** As in the style sheet. */
const heights = { wide: 56, narrow: 84 };

/** Many reminders: a row each, of which several may be chosen and acted on together. */
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

/** Room of rows that are not drawn. */
const Gap = ({ height }: { height: number }) =>
  height === 0 ? null : (
    <tr aria-hidden className={classes.gap}>
      <td colSpan={9} style={{ height }} />
    </tr>
  );

/** x chooses the row that has the focus, Esc lets go of all, arrows go to the ones beside it. */
const onKey =
  ({ toggle, clear }: { toggle: (id: string) => void; clear: () => void }) =>
  (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    const row = event.target.closest<HTMLElement>('tr[data-id]');
    // What a menu in a portal is told comes here as well.
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
