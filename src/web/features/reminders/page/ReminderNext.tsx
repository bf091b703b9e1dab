import { type Reminder, stateOfReminder } from '#contract/reminders.ts';
import { isOfCalendar } from '#contract/schedules.ts';
import { useOccurrences } from '#web/api/reminders.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { momentText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { storedScheduleInWords } from '#web/features/reminders/form/schedule-words.ts';
import { usePausedUntil } from '#web/features/reminders/pausing/use-all-paused.ts';
import { eventSentence, scheduleText } from '#web/features/reminders/schedule-text.ts';

const sentences = {
  active: null,
  paused: 'Paused: nothing is sent until it is resumed.',
  draft: 'A draft: nothing is sent until it is started.',
  done: 'Done: nothing of it lies ahead. Edit it to send it again.',
} as const;

/** The schedule, and when the reminder is sent next. */
export function ReminderNext({ reminder }: { reminder: Reminder }) {
  const { id, status, schedule_config: schedule, metadata, is_done: isDone } = reminder;
  const state = stateOfReminder(reminder);
  const occurrences = useOccurrences(id);
  const words = storedScheduleInWords(schedule);
  const pausedUntil = usePausedUntil(reminder);
  const isElsewhere = schedule.timezone !== viewerZone();
  return (
    <RecordSection title="Next occurrences" aside={<StatusBadge kind="reminder" status={state} />}>
      <p className={`${classes.note} ${classes.summary}`}>
        {words === null ? scheduleText(schedule) : `${scheduleText(schedule)} · ${words}`} ·{' '}
        {metadata.channels.map((channel) => channelLooks[channel].name).join(', ')} ·{' '}
        {schedule.timezone.replaceAll('_', ' ')} · {metadata.priority} priority
      </p>
      {pausedUntil !== null ? (
        <p className={classes.quiet}>
          {status === 'active' ? 'All reminders are paused' : 'Paused'} until {momentText(pausedUntil, viewerZone())}:
          then it resumes by itself.
        </p>
      ) : (
        sentences[state] !== null && <p className={classes.quiet}>{sentences[state]}</p>
      )}
      {schedule.type === 'event-based' ? (
        <p className={classes.quiet}>
          {eventSentence(schedule)}{' '}
          {!isOfCalendar(schedule) && (
            <TextLink to="/jobs" search={{ tab: 'events', event: schedule.eventTrigger }}>
              Show the latest events
            </TextLink>
          )}
        </p>
      ) : isDone ? null : (
        <Loaded of={occurrences} failed="Error loading the next occurrences">
          {({ occurrences: times, notes }) =>
            times.length === 0 ? (
              <p className={classes.quiet}>No more occurrences</p>
            ) : (
              <ol aria-label="Next occurrences">
                {times.slice(0, shown).map((at) => (
                  <li key={at} className={classes.row}>
                    <time dateTime={at}>{momentText(at, schedule.timezone)}</time>
                    {isElsewhere && <span className={classes.note}>{momentText(at, viewerZone())} your time</span>}
                    {notes
                      .filter((one) => one.at === at)
                      .map(({ note }) => (
                        <span key={note} className={classes.note} data-tone="waiting">
                          {note}
                        </span>
                      ))}
                  </li>
                ))}
              </ol>
            )
          }
        </Loaded>
      )}
    </RecordSection>
  );
}

const shown = 5;
