import { Text } from '@mantine/core';
import { IconCircleCheck, IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Failure } from '#contract/day.ts';
import type { useDay } from '#web/api/day.ts';
import { isPartial, lineOf } from '#web/features/jobs/run-words.ts';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import classes from './DayLists.module.css';
import prose from '#web/ui/prose.module.css';
import { DaySkeleton } from './Upcoming.tsx';

type Day = ReturnType<typeof useDay>;

/** This week's failed jobs that were not retried; a single line when there are none. */
export function NeedsAttention({ day }: { day: Day }) {
  const count = day.data?.failures.count ?? 0;
  const link = count > 0 && (
    <TextLink to="/jobs" search={{ status: 'failed' }}>
      {count.toLocaleString('en')} failed
    </TextLink>
  );
  return (
    <RecordSection title="Needs attention" size="h2" aside={link}>
      {day.isError && !day.data ? (
        // The upcoming list next to it shows the error and Retry.
        <p className={classes.calm}>The failed jobs could not be loaded.</p>
      ) : (
        <Loaded
          of={day}
          failed="The failed jobs could not be loaded"
          skeleton={<DaySkeleton label="Loading failed jobs" rows={1} />}
        >
          {({ failures: { latest } }) =>
            latest.length === 0 ? (
              <p className={classes.calm} data-tone="good">
                <IconCircleCheck size={18} stroke={1.6} aria-hidden />
                Nothing has failed in the last seven days.
              </p>
            ) : (
              <ul>
                {latest.map((job) => (
                  <FailureRow key={job.job_id} job={job} />
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
    </RecordSection>
  );
}

function FailureRow({ job }: { job: Failure }) {
  return (
    <li className={classes.row}>
      <IconAlertTriangle
        className={classes.tone}
        data-tone={isPartial({ ...job, status: 'failed' }) ? 'waiting' : 'bad'}
        size={18}
        stroke={1.6}
        aria-hidden
      />
      <div className={prose.lines}>
        <Link className={classes.name} to="/jobs" search={{ job: job.job_id }} title={job.name}>
          {job.name}
        </Link>
        <Text span fz="xs" c="dimmed" className={prose.oneLine} title={job.error_message ?? undefined}>
          {lineOf({ ...job, status: 'failed' }) ?? 'No reason was given'}
        </Text>
      </div>
      <Text span flex="none" fz="xs" className="figures">
        <RelativeTime at={job.failed_at} />
      </Text>
    </li>
  );
}
