import type { JobAction } from '#domain/job-state.ts';
import { useJobAction } from '#web/api/jobs.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

const outcomes: Record<JobAction, string> = {
  pause: 'is paused',
  resume: 'will run',
  retry: 'will be tried again',
  cancel: 'is cancelled',
};

/** Runs job actions and shows the result; `busy` is the action in progress. */
export function useActOnJob() {
  const { mutateAsync, isPending, variables } = useJobAction();
  // The result is handled here and not in a mutation callback: the row may leave the filtered list before the response.
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
