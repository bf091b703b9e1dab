import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReminderSummary } from '#contract/reminders.ts';
import {
  useActOnReminders,
  useDeleteReminder,
  useDuplicateReminder,
  useSetReminderStatus,
} from '#web/api/reminders.ts';
import { useNobodyQuestion } from '#web/features/reach/NobodyDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyAnswer, notifyError, notifyFailure, notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';
import { scheduleText } from './schedule-text.ts';

export type ReminderActs = ReturnType<typeof useReminderActs>['acts'];

/**
 * The actions on one reminder of the list, each with a toast, and the dialog that one of them may open. `acts` is stable across renders,
 * because rows compare it.
 */
export function useReminderActs() {
  const navigate = useNavigate({ from: '/reminders' });
  const { mutateAsync: setStatus } = useSetReminderStatus();
  const { ask, dialog } = useNobodyQuestion();
  const { mutateAsync: duplicate } = useDuplicateReminder();
  const { mutateAsync: remove } = useDeleteReminder();
  const { mutateAsync: actOnSome } = useActOnReminders();
  const acts = useMemo(() => {
    const open = (dialog: { test?: string; schedule?: string; pause?: string }) =>
      void navigate({ search: (before) => ({ ...before, ...dialog }), resetScroll: false });
    const bringBack = async ({ id, name }: ReminderSummary) => {
      try {
        const [result] = await actOnSome({ ids: [id], action: 'restore' });
        if (result?.result === 'refused') return notifyError('Error', result.message);
        notifySuccess('Success', `“${name}” has been restored`);
      } catch (error) {
        notifyFailure('Error', error, 'Failed to restore reminder. Please try again.');
      }
    };
    const resume = async (id: string) => {
      try {
        await setStatus({ id, status: 'active' });
        notifySuccess('Success', 'Reminder resumed successfully');
      } catch {
        notifyError('Error', 'Failed to update reminder status');
      }
    };
    return {
      edit: ({ id }: ReminderSummary) => navigate({ to: '/reminders/$id/edit', params: { id } }),
      test: ({ id }: ReminderSummary) => open({ test: id }),
      pauseUntil: ({ id }: ReminderSummary) => open({ pause: id }),
      showSchedule: ({ id, schedule_config }: ReminderSummary) => {
        notifyAnswer('Schedule Details', `Schedule: ${scheduleText(schedule_config)}`);
        open({ schedule: id });
      },
      async toggle({ id, status }: ReminderSummary) {
        const isActive = status === 'active';
        if (!isActive && !(await ask({ reminderId: id }))) return;
        try {
          await setStatus({ id, status: isActive ? 'paused' : 'active' });
          if (!isActive) return notifySuccess('Success', 'Reminder resumed successfully');
          notifyUndoable('Success', 'Reminder paused successfully', () => void resume(id));
        } catch {
          notifyError('Error', 'Failed to update reminder status');
        }
      },
      async duplicate({ id, name }: ReminderSummary) {
        try {
          const copy = await duplicate(id);
          notifySuccess('Success', `“${copy.name}” has been created as a draft`);
          await navigate({ to: '/reminders/$id/edit', params: { id: copy.id } });
        } catch (error) {
          notifyFailure('Error', error, `Failed to duplicate “${name}”. Please try again.`);
        }
      },
      async remove(reminder: ReminderSummary) {
        try {
          await remove(reminder.id);
          notifyUndoable('Success', `“${reminder.name}” has been deleted`, () => void bringBack(reminder));
          // The menu that opened the dialog is removed with its row.
          focusContent();
        } catch (error) {
          notifyFailure('Error', error, 'Failed to delete reminder. Please try again.');
        }
      },
    };
  }, [navigate, setStatus, duplicate, remove, actOnSome, ask]);
  return { acts, dialog };
}
