import { Button } from '@mantine/core';
import { IconClockPause, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { counted } from '#domain/in-words.ts';
import type { BulkAction } from '#contract/bulk-reminders.ts';
import type { ReminderSummary } from '#contract/reminders.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { useActOnReminders } from '#web/api/reminders.ts';
import { useNobodyQuestion } from '#web/features/reach/NobodyDialog.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyError, notifyFailure, notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';
import { aboutSelected } from './pausing/pause-until.ts';
import { useEver } from '#web/ui/use-ever.ts';
import { usePauseUntil } from './pausing/pause-until.ts';
import classes from './ReminderTable.module.css';

const PauseDialog = lazy(() => import('./pausing/PauseDialog.tsx'));

type SelectionBarProps = {
  selected: ReminderSummary[];
  /** Called with the reminders that stay selected. */
  onChange: (ids: ReadonlySet<string>) => void;
};

/** The actions on all selected reminders. */
export function SelectionBar({ selected, onChange }: SelectionBarProps) {
  const { act, busy } = useActOnSelection();
  const [isAsking, setIsAsking] = useState(false);
  const [isPausing, setPausing] = useState(false);
  const hasPaused = useEver(isPausing);
  const pauseUntil = usePauseUntil();
  const { askForEach, dialog } = useNobodyQuestion();
  const [isCounting, setCounting] = useState(false);
  const mayResume = async () => {
    setCounting(true);
    const isConfirmed = await askForEach(selected.filter(({ status }) => status === 'paused'));
    setCounting(false);
    return isConfirmed;
  };
  const perform = async (action: 'pause' | 'resume' | 'delete') => {
    if (action === 'resume' && !(await mayResume())) return;
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
    loading: busy === action || (action === 'resume' && isCounting),
    disabled: isCounting || (busy !== null && busy !== action),
    onClick: () => void perform(action),
  });
  return (
    <div className={classes.selection} role="toolbar" aria-label="Selected reminders">
      <span role="status">{count} selected</span>
      <Button {...button('pause')} leftSection={<IconPlayerPause size={14} aria-hidden />}>
        Pause
      </Button>
      <SmallButton icon={IconClockPause} disabled={busy !== null} onClick={() => setPausing(true)}>
        Pause until…
      </SmallButton>
      <Button {...button('resume')} leftSection={<IconPlayerPlay size={14} aria-hidden />}>
        Resume
      </Button>
      <SmallButton
        icon={IconTrash}
        variant="light"
        color="red"
        disabled={busy !== null}
        onClick={() => setIsAsking(true)}
      >
        Delete
      </SmallButton>
      <Button size="compact-sm" variant="subtle" onClick={() => onChange(new Set())}>
        Clear
      </Button>
      {dialog}
      <Suspense>
        {hasPaused && (
          <PauseDialog
            title={selected.length === 1 ? 'Pause reminder' : `Pause ${count} reminders`}
            sentence="They resume by themselves. What comes due before is skipped. Drafts, and what is paused already, stay as they are."
            opened={isPausing}
            onClose={() => setPausing(false)}
            onPause={async (until) => {
              await pauseUntil(selected, until);
              onChange(new Set());
              focusContent();
            }}
          />
        )}
      </Suspense>
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

const namedAtMost = 3;
const done: Record<BulkAction | 'restore', string> = {
  pause: 'paused',
  resume: 'resumed',
  delete: 'deleted',
  restore: 'restored',
};

/**
 * Runs an action on several reminders and shows the result. `act` returns the refused ones, or null when the result is
 * unknown.
 */
function useActOnSelection() {
  const { mutateAsync, isPending, variables } = useActOnReminders();
  const act = async (
    action: BulkAction | 'restore',
    reminders: readonly ReminderSummary[],
  ): Promise<ReadonlySet<string> | null> => {
    const names = new Map(reminders.map(({ id, name }) => [id, name]));
    try {
      const results = await mutateAsync({ action, ids: [...names.keys()] });
      const refused = results.filter((one) => one.result === 'refused');
      const count = results.filter((one) => one.result === 'done').length;
      const unchanged = results.length - refused.length - count;
      const sentence = `${counted(count, 'reminder')} ${done[action]}${unchanged > 0 ? `, ${unchanged.toLocaleString('en')} left as ${unchanged === 1 ? 'it was' : 'they were'}` : ''}`;
      if (refused.length > 0) {
        const whys = refused.slice(0, namedAtMost).map(({ id, message }) => `“${names.get(id)}”: ${message}.`);
        const more = refused.length - namedAtMost;
        if (more > 0) whys.push(`And ${more.toLocaleString('en')} more.`);
        notifyError(`${sentence}, ${refused.length.toLocaleString('en')} not`, whys.join(' '));
      }
      const gone = reminders.filter(({ id }) => results.some((one) => one.id === id && one.result === 'done'));
      const undo = async (by: 'restore' | 'resume', what: readonly ReminderSummary[]) => (await act(by, what)) !== null;
      const wereActive = gone.filter(({ status }) => status === 'active');
      if (action === 'delete' && gone.length > 0)
        notifyUndoable('Success', sentence, { undo: () => undo('restore', gone), ...aboutSelected });
      else if (action === 'pause' && gone.length > 0 && refused.length === 0)
        notifyUndoable('Success', sentence, { undo: () => undo('resume', wereActive), ...aboutSelected });
      else if (refused.length === 0) notifySuccess('Success', sentence, aboutSelected);
      return new Set(refused.map(({ id }) => id));
    } catch (error) {
      notifyFailure('Error', error, 'Failed to update reminders. Please try again.');
      return null;
    }
  };
  return { act, busy: isPending ? variables.action : null };
}
