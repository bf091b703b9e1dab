import type { JobExecution } from '#contract/executions.ts';
import type { RecipientGroup } from '#contract/job-states.ts';
import type { CountedJob } from '#contract/jobs.ts';
import type { JobAction } from '#domain/job-state.ts';
import { counted } from '#domain/in-words.ts';
import {
  hasMissedSomebody,
  isCancelledExecution,
  isPartlySent,
  isPartlySentExecution,
  reachedText,
  type Run,
  unreachedTexts,
} from '#domain/run-outcome.ts';
import type { Tone } from '#web/app/theme.ts';

type Counted = Run & Pick<CountedJob, 'error_message'>;

export const groupWords: Record<RecipientGroup, string> = {
  sent: 'Sent',
  waiting: 'Waiting',
  problems: 'Failed',
  skipped: 'Skipped',
};

const figure = (count: number) => count.toLocaleString('en');

/** What a run came to: `173 of 184 people · 11 lack Street`; by messages where people are not counted: `1,996 of 2,000 messages`. */
export function runText({ people, recipients }: Omit<Run, 'status'>): string | null {
  if (people !== null) return [reachedText(people), ...unreachedTexts(people)].join(' · ');
  return recipients && `${figure(recipients.sent)} of ${counted(recipients.total, 'message')}`;
}

/** The line of a job in lists; its own message where nobody was reached and nothing failed, or nothing was counted. */
export function lineOf({ error_message: message, ...run }: Counted): string | null {
  const { total = 0, reached = 0, failed = 0 } = run.people ?? groupsOf(run.recipients);
  return total === 0 || (message !== null && reached + failed === 0) ? message : runText(run);
}

const groupsOf = (recipients: Run['recipients']) =>
  recipients === null ? {} : { total: recipients.total, reached: recipients.sent, failed: recipients.problems };

/** The tone of a job's line. A job that waits for a retry has not failed, and a run that is partly sent, or has missed somebody, not for everybody. */
export function lineTone(job: Run): Tone {
  if (job.status === 'failed') return isPartlySent(job) ? 'waiting' : 'bad';
  return job.status === 'pending' || job.status === 'running' || hasMissedSomebody(job) ? 'waiting' : 'quiet';
}

/** The tone of an execution's message. */
export function executionTone(execution: Pick<JobExecution, 'status' | 'logs'>): Tone {
  if (execution.status !== 'failed' || isCancelledExecution(execution)) return 'quiet';
  return isPartlySentExecution(execution) ? 'waiting' : 'bad';
}

const actionWords: Record<JobAction, string> = { pause: 'Pause', resume: 'Resume', retry: 'Retry', cancel: 'Cancel' };

/** Whether a job was cancelled before it was sent: a retry sends it for the first time. */
export const isUnsent = ({ status, started_at: startedAt }: Pick<CountedJob, 'status' | 'started_at'>): boolean =>
  status === 'cancelled' && startedAt === null;

type Acted = Pick<CountedJob, 'people' | 'status' | 'started_at'>;

/** What an action does: `Retry 4 failed, 2 skipped`. */
export function actionLabel(action: JobAction, { people, ...job }: Acted): string {
  if (action === 'retry' && isUnsent(job)) return 'Send now';
  const word = actionWords[action];
  if (action !== 'retry' || people === null) return word;
  const parts = (['failed', 'waiting', 'skipped'] as const)
    .filter((outcome) => people[outcome] > 0)
    .map((outcome) => `${figure(people[outcome])} ${outcome}`);
  return parts.length === 0 ? word : `${word} ${parts.join(', ')}`;
}
