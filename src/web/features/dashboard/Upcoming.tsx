import { Flex, Skeleton, Stack, Text } from '@mantine/core';
import { IconCalendarTime } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { counted } from '#domain/in-words.ts';
import type { AgendaEntry } from '#contract/agenda-entry.ts';
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

/** What is sent in the next 24 hours, as in the agenda. */
export function Upcoming({ day }: { day: Day }) {
  const allPaused = useAllPaused();
  const { count, is_complete: isComplete } = day.data?.upcoming ?? { count: 0, is_complete: true };
  const words = `${isComplete ? '' : 'more than '}${counted(count, 'occurrence')}`;
  const link = <TextLink to="/agenda">{count > 0 ? words : 'Agenda'}</TextLink>;
  return (
    <RecordSection title="Next 24 hours" size="h2" aside={link}>
      <Loaded
        of={day}
        failed="Error loading what comes next"
        skeleton={<DaySkeleton label="Loading upcoming reminders" />}
      >
        {({ upcoming: { next } }) =>
          next.length === 0 ? (
            <p className={classes.calm}>
              <IconCalendarTime size={18} stroke={1.6} aria-hidden />
              Nothing is due in the next 24 hours.
              {allPaused !== null && ' All reminders are paused.'}
            </p>
          ) : (
            <ul>
              {next.map((entry) => (
                <UpcomingRow key={`${entry.id} ${entry.due_at}`} entry={entry} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </RecordSection>
  );
}

function UpcomingRow({ entry }: { entry: AgendaEntry }) {
  const { name, job_id: job, reminder_id: reminder, at, timezone, channels, people, recipients } = entry;
  const to = (people ?? 0) + recipients;
  const shown = { className: classes.name, title: name };
  return (
    <li className={classes.row}>
      <div className={prose.lines}>
        {job === null ? (
          <Link {...shown} to="/reminders/$id" params={{ id: reminder ?? entry.id }}>
            {name}
          </Link>
        ) : (
          <Link {...shown} to="/jobs" search={{ job }}>
            {name}
          </Link>
        )}
        <Text span fz="xs" c="dimmed" className={prose.oneLine}>
          <InstantText at={at} zone={timezone ?? undefined} />
        </Text>
      </div>
      <Stack gap={0} align="flex-end" flex="none">
        <Text span flex="none" fz="xs" className="figures">
          {whens[entry.state] ?? <RelativeTime at={at} />}
        </Text>
        <Flex component="span" display="inline-flex" gap={6} align="center" fz="xs" c="dimmed">
          {channels.map((channel) => (
            <ChannelIcon key={channel} channel={channel} size={16} />
          ))}
          <span>{people === null ? 'its audience' : `${to.toLocaleString('en')} addressed`}</span>
        </Flex>
      </Stack>
    </li>
  );
}

const whens: Record<AgendaEntry['state'], string | null> = {
  scheduled: null,
  paused: 'Paused',
  waiting: 'Waits for another attempt',
  running: 'Is being sent',
};

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
