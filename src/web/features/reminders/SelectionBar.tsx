import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReminderSummary } from '#contract/reminders.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { useActOnSelection } from './act-on-selection.ts';
import classes from './ReminderTable.module.css';

type SelectionBarProps = {
  selected: ReminderSummary[];
  /** Called with the reminders that stay selected. */
  onChange: (ids: ReadonlySet<string>) => void;
};

/** The actions on all selected reminders. */
export function SelectionBar({ selected, onChange }: SelectionBarProps) {
  const { act, busy } = useActOnSelection();
  const [isAsking, setIsAsking] = useState(false);
  const perform = async (action: 'pause' | 'resume' | 'delete') => {
    const refused = await act(action, selected);
    setIsAsking(false);
    if (refused === null) return;
    onChange(refused);
    // The button that opened the dialog is removed with the selection.
    if (refused.size === 0) focusContent();
  };
  const count = selected.length.toLocaleString('en');
  const button = (action: 'pause' | 'resume') => ({
    size: 'compact-sm',
    variant: 'default',
    loading: busy === action,
    disabled: busy !== null && busy !== action,
    onClick: () => void perform(action),
  });
  return (
    <div className={classes.selection} role="toolbar" aria-label="Selected reminders">
      <span role="status">{count} selected</span>
      <Button {...button('pause')} leftSection={<IconPlayerPause size={14} aria-hidden />}>
        Pause
      </Button>
      <Button {...button('resume')} leftSection={<IconPlayerPlay size={14} aria-hidden />}>
        Resume
      </Button>
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        disabled={busy !== null}
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setIsAsking(true)}
      >
        Delete
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => onChange(new Set())}>
        Clear
      </Button>
      <ConfirmDialog
        title={selected.length === 1 ? 'Delete reminder?' : `Delete ${count} reminders?`}
        confirmLabel="Delete"
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void perform('delete')}
        isBusy={busy === 'delete'}
      >
        Nothing of {selected.length === 1 ? 'it' : 'them'} will be sent any more. The history of sent messages is kept.
      </ConfirmDialog>
    </div>
  );
}
