import { VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { ReminderSort, ReminderSummary } from '#contract/reminders.ts';
import type { ReminderActs } from './act-on-reminder.ts';
import { ReminderRow } from './ReminderRow.tsx';
import { useRemindersSearch } from './reminders-search.ts';
import classes from './ReminderTable.module.css';
import { SelectionBar } from './SelectionBar.tsx';

type ReminderTableProps = {
  reminders: readonly ReminderSummary[];
  acts: ReminderActs;
};

/** These heights match the style sheet. */
const heights = { wide: 56, narrow: 104 };

/** Reminders as rows; several can be selected for an action. */
export function ReminderTable({ reminders, acts }: ReminderTableProps) {
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
    <>
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
    </>
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

/** Whether a table of nine columns fits with readable names; else each row takes two lines. */
const useIsWide = (): boolean => useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });

type ReminderHeadProps = { of: number; selected: number; onToggleAll: () => void };

/** The column headings, some of which sort. */
function ReminderHead({ of, selected, onToggleAll }: ReminderHeadProps) {
  const all = useRef<HTMLInputElement>(null);
  const isPartly = selected > 0 && selected < of;
  useEffect(() => {
    if (all.current) all.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th className={classes.select}>
          <label className={classes.choose}>
            <input
              ref={all}
              type="checkbox"
              aria-label="Choose all that are loaded"
              checked={selected === of}
              onChange={onToggleAll}
            />
            <span className={classes.selectAll} aria-hidden>
              Select all
            </span>
          </label>
        </th>
        <Sorting up="name" down="-name" label="Name" />
        <Sorting className={classes.status} up="status" down="-status" label="Status" />
        <th className={classes.schedule}>Schedule</th>
        <Sorting className={classes.next} up="next_run" down="-next_run" label="Next run" />
        <th className={classes.channels}>Channels</th>
        <th className={classes.recipients}>Recipients</th>
        <th className={classes.changed}>Last changed</th>
        <th className={classes.menu}>
          <VisuallyHidden>Actions</VisuallyHidden>
        </th>
      </tr>
    </thead>
  );
}

type SortingProps = { className?: string; up: ReminderSort; down: ReminderSort; label: string };

/** A sortable column: the first click sorts one way, the second the other. */
function Sorting({ className, up, down, label }: SortingProps) {
  const { sort, change } = useRemindersSearch();
  const isUp = sort === up;
  const isSorted = isUp || sort === down;
  const Icon = isUp ? IconArrowUp : IconArrowDown;
  return (
    <th className={className} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}>
      <button type="button" onClick={() => change({ sort: isUp ? down : up }, { replace: true })}>
        {label}
        {isSorted && <Icon size={14} aria-hidden />}
      </button>
    </th>
  );
}

/** The number of rows rendered beyond the window's edges; the range moves in steps of this size. */
const margin = 20;

/**
 * The range of a long list's rows that are in the window, plus a margin; only these are rendered.
 * @param of.height of a row, in px
 */
function useRowsInView(
  list: RefObject<HTMLElement | null>,
  { count, height }: { count: number; height: number },
): { from: number; to: number } {
  const [range, setRange] = useState({ from: 0, to: 3 * margin });
  useEffect(() => {
    const look = () => {
      const top = list.current?.getBoundingClientRect().top;
      if (top === undefined) return;
      const first = Math.floor(-top / height / margin) * margin - margin;
      const last = Math.ceil((window.innerHeight - top) / height / margin) * margin + margin;
      const from = Math.max(0, first);
      const to = Math.max(from, last);
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [list, height]);
  const to = Math.min(count, range.to);
  return { from: Math.min(range.from, to), to };
}
