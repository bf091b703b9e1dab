import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Failure, MissedRun } from '#contract/day.ts';
import type { PeopleCounts } from '#contract/job-states.ts';
import { counted } from '#domain/in-words.ts';
import { isPartlySent, missedOf, partlySent, unreachedTexts } from '#domain/run-outcome.ts';
import { lineOf } from '#web/features/jobs/run-words.ts';
import { TextLink } from '#web/ui/links.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './DayLists.module.css';

type Found = {
  failures: { latest: readonly Failure[] };
  missed: { latest: readonly MissedRun[]; has_more: boolean };
};

/** Failed jobs, each with whom it has reached, and completed ones with whom they have not. */
export default function Failures({ of: { failures, missed } }: { of: Found }) {
  return (
    <>
      <ul>
        {failures.latest.map((job) => (
          <FailureRow key={job.job_id} job={job} />
        ))}
        {missed.latest.map(({ people, completed_at: at, ...job }) => (
          <Row key={job.job_id} job={job} tone="waiting" line={missedText(people)} at={at} />
        ))}
      </ul>
      {missed.has_more && (
        <p className={classes.calm}>
          <TextLink to="/jobs" search={{ time: 'last-7-days' }}>
            More runs have not reached everybody
          </TextLink>
        </p>
      )}
    </>
  );
}

/** `7 of 100 people were not reached · 7 have no email address`. */
function missedText(people: PeopleCounts): string {
  const missed = missedOf(people);
  const verb = missed === 1 ? 'was' : 'were';
  const whole = `${missed.toLocaleString('en')} of ${counted(people.total, 'person', 'people')} ${verb} not reached`;
  return [whole, ...unreachedTexts({ ...people, excluded: 0 })].join(' · ');
}

function FailureRow({ job }: { job: Failure }) {
  const run = { ...job, status: 'failed' } as const;
  const isPartly = isPartlySent(run);
  const line = lineOf(run) ?? 'No reason was given';
  return (
    <Row
      job={job}
      tone={isPartly ? 'waiting' : 'bad'}
      line={isPartly ? `${partlySent} · ${line}` : line}
      title={job.error_message ?? undefined}
      at={job.failed_at}
    />
  );
}

type RowProps = {
  job: { job_id: string; name: string };
  tone: 'waiting' | 'bad';
  line: string;
  title?: string | undefined;
  at: string;
};

function Row({ job, tone, line, title, at }: RowProps) {
  return (
    <li className={classes.row}>
      <IconAlertTriangle className={classes.tone} data-tone={tone} size={18} stroke={1.6} aria-hidden />
      <div className={prose.lines}>
        <Link className={classes.name} to="/jobs" search={{ job: job.job_id }} title={job.name}>
          {job.name}
        </Link>
        <Text span fz="xs" c="dimmed" lineClamp={2} title={title}>
          {line}
        </Text>
      </div>
      <Text span flex="none" fz="xs" className="figures">
        <RelativeTime at={at} />
      </Text>
    </li>
  );
}
