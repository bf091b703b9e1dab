import { Flex, Skeleton, Stack, Text } from '@mantine/core';
import { IconCalendarTime } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { counted } from '#domain/in-words.ts';
import type { Upcoming as UpcomingJob } from '#contract/day.ts';
import type { useDay } from '#web/api/day.ts';
import { useAllPaused } from '#web/features/reminders/pausing/use-all-paused.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './DayLists.module.css';

type Day = ReturnType<typeof useDay>;

/** The jobs of the next 24 hours. */
export function Upcoming({ day }: { day: Day }) {
  const count = day.data?.upcoming.count ?? 0;
  const link = <TextLink to="/agenda">{count > 0 ? counted(count, 'occurrence') : 'Agenda'}</TextLink>;
  return (
    <RecordSection title="Next 24 hours" size="h2" aside={link}>
      <Loaded
        of={day}
        failed="The upcoming reminders could not be loaded"
        skeleton={<DaySkeleton label="Loading upcoming reminders" />}
      >
        {({ upcoming: { next } }) =>
          next.length === 0 ? (
            <p className={classes.calm}>
              <IconCalendarTime size={18} stroke={1.6} aria-hidden />
              Nothing is due in the next 24 hours.
            </p>
          ) : (
            <ul>
              {next.map((job) => (
                <UpcomingRow key={job.job_id} job={job} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </RecordSection>
  );
}

function UpcomingRow({ job }: { job: UpcomingJob }) {
  const allPaused = useAllPaused();
  const isPaused = job.is_pausable && allPaused !== null && Date.parse(job.scheduled_for) < Date.parse(allPaused);
  return (
    <li className={classes.row}>
      <div className={prose.lines}>
        <Link className={classes.name} to="/jobs" search={{ job: job.job_id }} title={job.name}>
          {job.name}
        </Link>
        <Text span fz="xs" c="dimmed" className={prose.oneLine}>
          <InstantText at={job.scheduled_for} zone={job.timezone ?? undefined} />
        </Text>
      </div>
      <Stack gap={0} align="flex-end" flex="none">
        <Text span flex="none" fz="xs" className="figures">
          {isPaused ? 'Skipped: all are paused' : <RelativeTime at={job.scheduled_for} />}
        </Text>
        <Flex component="span" display="inline-flex" gap={6} align="center" fz="xs" c="dimmed">
          {job.channels.map((channel) => (
            <ChannelIcon key={channel} channel={channel} size={16} />
          ))}
          <span>{job.recipients === 1 ? 'to 1' : `to ${job.recipients.toLocaleString('en')}`}</span>
        </Flex>
      </Stack>
    </li>
  );
}

export function DaySkeleton({ label, rows = 3 }: { label: string; rows?: number }) {
  return (
    <ul aria-busy aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <li key={row} className={classes.row}>
          <div className={prose.lines}>
            <Skeleton height={12} width="45%" my={4} />
            <Skeleton height={10} width="60%" my={4} />
          </div>
          <Skeleton height={12} width={72} />
        </li>
      ))}
    </ul>
  );
}
