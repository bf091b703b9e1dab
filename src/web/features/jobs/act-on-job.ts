import type { JobAction } from '#domain/job-state.ts';
import { useJobAction } from '#web/api/jobs.ts';
import { act } from '#web/ui/act.ts';

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
  const actOnJob = (action: JobAction, { id, name }: { id: string; name: string }) =>
    act(mutateAsync({ action, id }), {
      done: ['Job updated', `${name} ${outcomes[action]}.`],
      failed: 'Error updating job',
    });
  return { act: actOnJob, busy: isPending ? variables.action : null };
}
