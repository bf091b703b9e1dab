import { usePauseAllReminders, useResumeAllReminders } from '#web/api/reminder-pauses.ts';
import { act } from '#web/ui/act.ts';
import { notifyUndoable } from '#web/ui/notify.tsx';
import { pauseEndText } from './pause-times.ts';

const about = 'all reminders';

/** Pauses and resumes all reminders of the workspace, each with a toast. */
export function useActOnAll() {
  const { mutateAsync: pauseAll } = usePauseAllReminders();
  const { mutateAsync: resumeAll, isPending: isResuming } = useResumeAllReminders();
  const resume = () =>
    act(resumeAll(), {
      done: ['Success', 'All reminders are as they were before the pause'],
      about,
      failed: 'Error',
      fallback: 'Failed to resume reminders. Please try again.',
    });
  const pause = async (until: string) => {
    await pauseAll(until);
    notifyUndoable('Success', `All reminders are paused until ${pauseEndText(until)}`, { undo: resume, about });
  };
  return { pause, resume, isResuming };
}
