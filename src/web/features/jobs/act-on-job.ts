import type { JobAction } from '#domain/job-state.ts';
import { useJobAction } from '#web/api/jobs.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

const outcomes: Record<JobAction, string> = {
  pause: 'is paused',
  resume: 'will run',
  retry: 'will be tried again',
  cancel: 'is cancelled',
};

/** Acts on jobs and tells how it went; `busy` is the action under way. */
export function useActOnJob() {
  const { mutateAsync, isPending, variables } = useJobAction();
  // Awaited here: the row that was pressed may leave its filtered list before the answer is told.
  const act = async (action: JobAction, job: { id: string; name: string }) => {
    try {
      await mutateAsync({ action, id: job.id });
      notifySuccess('Job updated', `${job.name} ${outcomes[action]}.`);
    } catch (error) {
      notifyFailure('Error updating job', error);
    }
  };
  return { act, busy: isPending ? variables.action : null };
}
