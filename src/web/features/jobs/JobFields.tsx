import type { JobSummary } from '#contract/jobs.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import { Fact } from '#web/ui/Facts.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import classes from './JobDialog.module.css';
import { JobDuration } from './JobDuration.tsx';
import prose from '#web/ui/prose.module.css';
import { typeWords } from './job-words.ts';

/** All fields of a job except its status and payload. */
export function JobFields({ job }: { job: JobSummary }) {
  const waitsForRetry = job.status === 'pending' && Date.parse(job.run_at) > Date.parse(job.scheduled_for);
  return (
    <dl className={classes.fields}>
      <Fact name="Scheduled for">
        <When at={job.scheduled_for} />
      </Fact>
      <Fact name={waitsForRetry ? 'Next try' : 'Started'}>
        <When at={waitsForRetry ? job.run_at : job.started_at} />
      </Fact>
      <Fact name="Completed">
        <When at={job.completed_at} />
      </Fact>
      {job.archived_at && (
        <Fact name="Archived">
          <When at={job.archived_at} />
        </Fact>
      )}
      <Fact name="Attempts">
        {job.attempts}/{job.max_attempts}
      </Fact>
      <Fact name="Start to end">
        <JobDuration job={job} />
      </Fact>
      <Fact name="Type">{typeWords[job.type]}</Fact>
      <Fact name="Created">
        <InstantText at={job.created_at} />
      </Fact>
      <Fact name="Updated">
        <InstantText at={job.updated_at} />
      </Fact>
      <Fact name="Job id">
        <Copyable text={job.id} shown={`${job.id.slice(0, 8)}…${job.id.slice(-4)}`} label="Copy job id" />
      </Fact>
      {job.reminder_id && <ReminderField id={job.reminder_id} />}
    </dl>
  );
}

/** A relative time with the exact time below. */
export function When({ at }: { at: string | null }) {
  if (!at) return '–';
  return (
    <>
      <RelativeTime at={at} />
      <br />
      <span className={prose.tiny}>
        <InstantText at={at} />
      </span>
    </>
  );
}

function ReminderField({ id }: { id: string }) {
  return (
    <Fact name="Reminder">
      <TextLink to="/reminders/$id" params={{ id }}>
        Open the reminder
      </TextLink>
    </Fact>
  );
}
