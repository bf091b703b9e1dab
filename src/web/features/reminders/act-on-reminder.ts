import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Reminder } from '#contract/reminders.ts';
import {
  useActOnReminders,
  useDeleteReminder,
  useDuplicateReminder,
  useSetReminderStatus,
} from '#web/api/reminders.ts';
import { useNobodyQuestion } from '#web/features/reach/NobodyDialog.tsx';
import { act } from '#web/ui/act.ts';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyAnswer, notifyError, notifyFailure, notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';
import { scheduleText } from './schedule-text.ts';

export type ReminderActs = ReturnType<typeof useReminderActs>['acts'];

/** What the actions need of a reminder. */
export type ActedOn = Pick<Reminder, 'id' | 'name' | 'status' | 'is_done' | 'schedule_config'>;

/** The dialogs of the actions, each with the reminder's id. */
export type AskedDialog = { test?: string; event?: string; schedule?: string; pause?: string };

/** Both stay the same across renders. */
/** What acts on one reminder are told about. */
export const aboutReminder = (id: string) => ({ about: `reminder ${id}` });

type Surroundings = { open: (dialog: AskedDialog) => void; onRemoved?: () => void };

/**
 * The actions on one reminder, each with a toast, and the dialog that one of them may open. `acts` is stable across renders,
 * because rows compare it.
 */
export function useReminderActs({ open, onRemoved }: Surroundings) {
  const navigate = useNavigate();
  const { mutateAsync: setStatus } = useSetReminderStatus();
  const { ask, dialog } = useNobodyQuestion();
  const { mutateAsync: duplicate } = useDuplicateReminder();
  const { mutateAsync: remove } = useDeleteReminder();
  const { mutateAsync: actOnSome } = useActOnReminders();
  const acts = useMemo(() => {
    const bringBack = async ({ id, name }: ActedOn) => {
      try {
        const [result] = await actOnSome({ ids: [id], action: 'restore' });
        if (result?.result === 'refused') notifyError('Error', result.message);
        else notifySuccess('Success', `“${name}” has been restored`, aboutReminder(id));
        return true;
      } catch (error) {
        notifyFailure('Error', error, 'Failed to restore reminder. Please try again.');
        return false;
      }
    };
    const resume = async (id: string) => {
      try {
        await setStatus({ id, status: 'active' });
        notifySuccess('Success', 'Reminder resumed successfully', aboutReminder(id));
        return true;
      } catch {
        notifyError('Error', 'Failed to update reminder status');
        return false;
      }
    };
    return {
      edit: ({ id }: ActedOn) => navigate({ to: '/reminders/$id/edit', params: { id } }),
      test: ({ id }: ActedOn) => open({ test: id }),
      testEvent: ({ id }: ActedOn) => open({ event: id }),
      pauseUntil: ({ id }: ActedOn) => open({ pause: id }),
      showSchedule: ({ id, schedule_config }: ActedOn) => {
        notifyAnswer('Schedule Details', `Schedule: ${scheduleText(schedule_config)}`);
        open({ schedule: id });
      },
      async toggle({ id, status }: ActedOn) {
        const isActive = status === 'active';
        if (!isActive && !(await ask({ reminderId: id }))) return;
        try {
          await setStatus({ id, status: isActive ? 'paused' : 'active' });
          if (!isActive) return notifySuccess('Success', 'Reminder resumed successfully', aboutReminder(id));
          notifyUndoable('Success', 'Reminder paused successfully', { undo: () => resume(id), ...aboutReminder(id) });
        } catch {
          notifyError('Error', 'Failed to update reminder status');
        }
      },
      duplicate: ({ id, name }: ActedOn) =>
        act(
          duplicate(id).then(async (copy) => {
            notifySuccess('Success', `“${copy.name}” has been created as a draft`);
            await navigate({ to: '/reminders/$id/edit', params: { id: copy.id } });
          }),
          { failed: 'Error', fallback: `Failed to duplicate “${name}”. Please try again.` },
        ),
      async remove(reminder: ActedOn) {
        try {
          await remove(reminder.id);
          notifyUndoable('Success', `“${reminder.name}” has been deleted`, {
            undo: () => bringBack(reminder),
            ...aboutReminder(reminder.id),
          });
          if (onRemoved !== undefined) return onRemoved();
          // The menu that opened the dialog is removed with its row.
          focusContent();
        } catch (error) {
          notifyFailure('Error', error, 'Failed to delete reminder. Please try again.');
        }
      },
    };
  }, [open, onRemoved, navigate, setStatus, duplicate, remove, actOnSome, ask]);
  return { acts, dialog };
}
