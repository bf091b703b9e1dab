import type { Reminder } from '#contract/reminders.ts';
import { useActOnReminders, useSetReminderStatus } from '#web/api/reminders.ts';
import { notifyFailure, notifyUndoable } from '#web/ui/notify.tsx';
import { aboutReminder } from '#web/features/reminders/act-on-reminder.ts';
import { pauseEndText } from './pause-times.ts';

/** What acts on several reminders are told about. */
export const aboutSelected = { about: 'selected reminders' };

type Before = Pick<Reminder, 'id' | 'status' | 'paused_until'>;

/** Pauses reminders until an instant; Undo makes each what it was before. Rejects when nothing is paused. */
export function usePauseUntil() {
  const { mutateAsync: actOnSome } = useActOnReminders();
  const { mutateAsync: setStatus } = useSetReminderStatus();
  const undo = async (before: readonly Before[]) => {
    try {
      const wereActive = before.filter(({ status }) => status === 'active').map(({ id }) => id);
      if (wereActive.length > 0) await actOnSome({ ids: wereActive, action: 'resume' });
      for (const { id, status, paused_until: end } of before)
        if (status === 'paused') await setStatus({ id, status, ...(end !== null && { until: end }) });
      return true;
    } catch (error) {
      notifyFailure('Error', error, 'Failed to undo the pause. Please try again.');
      return false;
    }
  };
  return async (reminders: readonly Before[], until: string): Promise<void> => {
    const [one, ...others] = reminders;
    if (one === undefined) return;
    let paused = reminders;
    if (others.length === 0) await setStatus({ id: one.id, status: 'paused', until });
    else {
      const results = await actOnSome({ ids: reminders.map(({ id }) => id), action: 'pause', until });
      const done = new Set(results.flatMap(({ id, result }) => (result === 'done' ? id : [])));
      paused = reminders.filter(({ id }) => done.has(id));
    }
    const count =
      others.length === 0
        ? 'Reminder'
        : `${paused.length.toLocaleString('en')} of ${reminders.length.toLocaleString('en')} reminders`;
    notifyUndoable('Success', `${count} paused until ${pauseEndText(until)}`, {
      undo: () => undo(paused),
      ...(others.length === 0 ? aboutReminder(one.id) : aboutSelected),
    });
  };
}
