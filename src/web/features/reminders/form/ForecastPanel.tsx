import { Skeleton, Text, Title } from '@mantine/core';
import { IconCalendarRepeat } from '@tabler/icons-react';
import { InstantText } from '#web/ui/InstantText.tsx';
import type { ScheduleDraft } from './draft.ts';
import classes from './ForecastPanel.module.css';
import type { ScheduleForecast } from './schedule-forecast.ts';
import { scheduleInWords } from './schedule-words.ts';

type ForecastPanelProps = { schedule: ScheduleDraft; forecast: ScheduleForecast };

/** The schedule as a sentence, and the next occurrences in its zone. */
export function ForecastPanel({ schedule, forecast }: ForecastPanelProps) {
  const words = scheduleInWords(schedule);
  return (
    <section className={classes.panel} aria-labelledby="forecast" aria-live="polite">
      <Title order={2} size="h4" id="forecast" className={classes.title}>
        <IconCalendarRepeat size={16} stroke={1.8} aria-hidden />
        {schedule.type === 'scheduled' ? 'Next occurrences' : 'When it is sent'}
      </Title>
      {words && <p className={classes.words}>{words}</p>}
      {schedule.type === 'scheduled' ? (
        <Occurrences zone={schedule.timezone} forecast={forecast} />
      ) : (
        <p className={classes.note}>
          {words ? 'Sent once for each event that Cuebird receives.' : 'Select an event. Without one, nothing is sent.'}
        </p>
      )}
    </section>
  );
}

function Occurrences({
  zone,
  forecast: { occurrences, error, cronError, isStale },
}: {
  zone: string;
  forecast: ScheduleForecast;
}) {
  if (error) return <p className={classes.error}>{error}</p>;
  if (cronError) return <p className={classes.note}>No occurrences: the cron expression is not valid.</p>;
  if (!occurrences) return isStale ? <OccurrencesSkeleton /> : <p className={classes.note}>Enter a cron expression.</p>;
  if (occurrences.length === 0) return <p className={classes.note}>No more occurrences</p>;
  return (
    <ol className={classes.list} data-stale={isStale}>
      {occurrences.map(({ at, notes }) => (
        <li key={at}>
          <InstantText at={at} zone={zone} />
          {notes.map((note) => (
            <Text key={note} mt={2} c="dimmed" fz={13}>
              {note}
            </Text>
          ))}
        </li>
      ))}
    </ol>
  );
}

function OccurrencesSkeleton() {
  return (
    <ol className={classes.list} aria-hidden>
      {[1, 2, 3, 4, 5].map((row) => (
        <li key={row}>
          <Skeleton height={12} width="75%" my={4} />
        </li>
      ))}
    </ol>
  );
}
