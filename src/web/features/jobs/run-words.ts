import type { RecipientCounts, RecipientGroup } from '#contract/job-states.ts';
import type { CountedJob } from '#contract/jobs.ts';
import type { JobAction } from '#domain/job-state.ts';
import type { Tone } from '#web/app/theme.ts';

type Counted = Pick<CountedJob, 'status' | 'recipients' | 'error_message'>;

export const groupWords: Record<RecipientGroup, string> = {
  sent: 'Sent',
  waiting: 'Waiting',
  problems: 'Problems',
  skipped: 'Skipped',
};

const figure = (count: number) => count.toLocaleString('en');

/** What a run came to: `189 of 193 sent · 4 problems`. */
export function runText({ total, sent, problems, waiting, skipped }: RecipientCounts): string {
  const parts = [`${figure(sent)} of ${figure(total)} sent`];
  if (problems > 0) parts.push(`${figure(problems)} ${problems === 1 ? 'problem' : 'problems'}`);
  if (waiting > 0) parts.push(`${figure(waiting)} waiting`);
  if (skipped > 0) parts.push(`${figure(skipped)} skipped`);
  return parts.join(' · ');
}

/** The line of a job in lists; its own message where nothing was sent without a problem, or nothing was counted. */
export function lineOf({ recipients, error_message: message }: Counted): string | null {
  if (recipients === null || recipients.total === 0) return message;
  const hasOnlyMessage = message !== null && recipients.sent === 0 && recipients.problems === 0;
  return hasOnlyMessage ? message : runText(recipients);
}

/** Whether a run reached some of its recipients and failed for others. */
export const isPartial = ({ status, recipients }: Pick<CountedJob, 'status' | 'recipients'>): boolean =>
  status === 'failed' && recipients !== null && recipients.sent > 0;

/** The tone of a job's line. A job that waits for a retry has not failed, and one with some problems not for everybody. */
export function lineTone(job: Counted): Tone {
  if (job.status === 'failed') return isPartial(job) ? 'waiting' : 'bad';
  return job.status === 'pending' || job.status === 'running' ? 'waiting' : 'quiet';
}

const actionWords: Record<JobAction, string> = { pause: 'Pause', resume: 'Resume', retry: 'Retry', cancel: 'Cancel' };

/** What an action does: `Retry 4 failed, 2 skipped`. */
export function actionLabel(action: JobAction, { recipients }: Pick<CountedJob, 'recipients'>): string {
  const word = actionWords[action];
  if (action !== 'retry' || recipients === null) return word;
  const parts = [
    recipients.problems > 0 && `${figure(recipients.problems)} failed`,
    recipients.waiting > 0 && `${figure(recipients.waiting)} waiting`,
    recipients.skipped > 0 && `${figure(recipients.skipped)} skipped`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? word : `${word} ${parts.join(', ')}`;
}
