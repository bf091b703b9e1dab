import type { JobSummary } from '#contract/jobs.ts';
import { nameForMany } from '#domain/job-name.ts';
import type { JobAction } from '#domain/job-state.ts';
import { useJobAction } from '#web/api/jobs.ts';
import { act } from '#web/ui/act.ts';
import { isUnsent } from './run-words.ts';

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
  const actOnJob = (action: JobAction, job: JobSummary) =>
    act(mutateAsync({ action, id: job.id }), {
      done: ['Job updated', `${nameForMany(job.name)} ${isUnsent(job) ? 'is sent now' : outcomes[action]}.`],
      about: `job ${job.id}`,
      failed: 'Error updating job',
    });
  return { act: actOnJob, busy: isPending ? variables.action : null };
}
