import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Reminder } from '#contract/reminders.ts';
import {
  useActOnReminders,
  useDeleteReminder,
  useDuplicateReminder,
  useSetReminderStatus,
} from '#web/api/reminders.ts';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyAnswer, notifyError, notifyFailure, notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';
import { scheduleText } from './schedule-text.ts';

export type ReminderActs = ReturnType<typeof useReminderActs>;

/** What may be done with one reminder of the list, each told by a toast. The same object at every render: rows compare it. */
export function useReminderActs() {
  const navigate = useNavigate({ from: '/reminders' });
  const { mutateAsync: setStatus } = useSetReminderStatus();
  const { mutateAsync: duplicate } = useDuplicateReminder();
  const { mutateAsync: remove } = useDeleteReminder();
  const { mutateAsync: actOnSome } = useActOnReminders();
  return useMemo(() => {
    const open = (dialog: { test?: string; schedule?: string }) =>
      void navigate({ search: (before) => ({ ...before, ...dialog }), resetScroll: false });
    const bringBack = async ({ id, name }: Reminder) => {
      try {
        const [result] = await actOnSome({ ids: [id], action: 'restore' });
        if (result?.result === 'refused') return notifyError('Error', result.message);
        notifySuccess('Success', `“${name}” is back`);
      } catch (error) {
        notifyFailure('Error', error, 'Failed to restore reminder. Please try again.');
      }
    };
    return {
      test: ({ id }: Reminder) => open({ test: id }),
      showSchedule: ({ id, schedule_config }: Reminder) => {
        notifyAnswer('Schedule Details', `Schedule: ${scheduleText(schedule_config)}`);
        open({ schedule: id });
      },
      async turn({ id, status }: Reminder) {
        const isActive = status === 'active';
        try {
          await setStatus({ id, status: isActive ? 'paused' : 'active' });
          notifySuccess('Success', `Reminder ${isActive ? 'paused' : 'resumed'} successfully`);
        } catch {
          notifyError('Error', 'Failed to update reminder status');
        }
      },
      async duplicate({ id, name }: Reminder) {
        try {
          const copy = await duplicate(id);
          notifySuccess('Success', `“${copy.name}” is a draft: start it when it says what you want`);
          await navigate({ to: '/reminders/$id/edit', params: { id: copy.id } });
        } catch (error) {
          notifyFailure('Error', error, `Failed to duplicate “${name}”. Please try again.`);
        }
      },
      async remove(reminder: Reminder) {
        try {
          await remove(reminder.id);
          notifyUndoable('Success', `“${reminder.name}” has been deleted`, () => void bringBack(reminder));
          // The menu that asked is gone with its row.
          focusContent();
        } catch (error) {
          notifyFailure('Error', error, 'Failed to delete reminder. Please try again.');
        }
      },
    };
  }, [navigate, setStatus, duplicate, remove, actOnSome]);
}
