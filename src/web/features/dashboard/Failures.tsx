import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Failure } from '#contract/day.ts';
import { isPartlySent, partlySent } from '#domain/run-outcome.ts';
import { lineOf } from '#web/features/jobs/run-words.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './DayLists.module.css';

/** Failed jobs, each with whom it has reached. */
export default function Failures({ of }: { of: readonly Failure[] }) {
  return (
    <ul>
      {of.map((job) => (
        <FailureRow key={job.job_id} job={job} />
      ))}
    </ul>
  );
}

function FailureRow({ job }: { job: Failure }) {
  const run = { ...job, status: 'failed' } as const;
  const isPartly = isPartlySent(run);
  const line = lineOf(run) ?? 'No reason was given';
  return (
    <li className={classes.row}>
      <IconAlertTriangle
        className={classes.tone}
        data-tone={isPartly ? 'waiting' : 'bad'}
        size={18}
        stroke={1.6}
        aria-hidden
      />
      <div className={prose.lines}>
        <Link className={classes.name} to="/jobs" search={{ job: job.job_id }} title={job.name}>
          {job.name}
        </Link>
        <Text span fz="xs" c="dimmed" lineClamp={2} title={job.error_message ?? undefined}>
          {isPartly ? `${partlySent} · ${line}` : line}
        </Text>
      </div>
      <Text span flex="none" fz="xs" className="figures">
        <RelativeTime at={job.failed_at} />
      </Text>
    </li>
  );
}
