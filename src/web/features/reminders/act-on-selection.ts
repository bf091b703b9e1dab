import type { BulkAction } from '#contract/bulk-reminders.ts';
import type { ReminderSummary } from '#contract/reminders.ts';
import { useActOnReminders } from '#web/api/reminders.ts';
import { notifyError, notifyFailure, notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';

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
export function useActOnSelection() {
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
      const sentence = `${count.toLocaleString('en')} ${count === 1 ? 'reminder' : 'reminders'} ${done[action]}${unchanged > 0 ? `, ${unchanged.toLocaleString('en')} left as ${unchanged === 1 ? 'it was' : 'they were'}` : ''}`;
      if (refused.length > 0) {
        const whys = refused.slice(0, namedAtMost).map(({ id, message }) => `“${names.get(id)}”: ${message}.`);
        const more = refused.length - namedAtMost;
        if (more > 0) whys.push(`And ${more.toLocaleString('en')} more.`);
        notifyError(`${sentence}, ${refused.length.toLocaleString('en')} not`, whys.join(' '));
      }
      const gone = reminders.filter(({ id }) => results.some((one) => one.id === id && one.result === 'done'));
      if (action === 'delete' && gone.length > 0) notifyUndoable('Success', sentence, () => void act('restore', gone));
      else if (action === 'pause' && gone.length > 0 && refused.length === 0)
        notifyUndoable(
          'Success',
          sentence,
          () =>
            void act(
              'resume',
              gone.filter(({ status }) => status === 'active'),
            ),
        );
      else if (refused.length === 0) notifySuccess('Success', sentence);
      return new Set(refused.map(({ id }) => id));
    } catch (error) {
      notifyFailure('Error', error, 'Failed to update reminders. Please try again.');
      return null;
    }
  };
  return { act, busy: isPending ? variables.action : null };
}
