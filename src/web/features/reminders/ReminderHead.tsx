import { VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ReminderSort } from '#contract/reminders.ts';
import classes from './ReminderTable.module.css';
import { useRemindersSearch } from './reminders-search.ts';

type ReminderHeadProps = { of: number; selected: number; onToggleAll: () => void };

/** The column headings, some of which sort. */
export function ReminderHead({ of, selected, onToggleAll }: ReminderHeadProps) {
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
