import { Link } from '@tanstack/react-router';
import type { UpcomingOfContact } from '#contract/contact-details.ts';
import { useUpcomingOfContact } from '#web/api/contact-details.ts';
import { scheduleText } from '#web/features/reminders/schedule-text.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';

/** The reminders that will be sent to the contact, soonest first. */
export function ContactUpcoming({ id }: { id: string }) {
  const upcoming = useUpcomingOfContact(id);
  return (
    <RecordSection title="What comes next">
      <Loaded of={upcoming} failed="Error loading what comes next">
        {({ data, is_complete: isComplete }) => (
          <>
            {data.length === 0 && isComplete && <p className={classes.quiet}>No active reminder is sent to them.</p>}
            <ul className={classes.list} aria-label="What comes next">
              {data.map((reminder) => (
                <Row key={reminder.id} of={reminder} />
              ))}
            </ul>
            {!isComplete && <p className={classes.quiet}>There may be more: only the next reminders were searched.</p>}
          </>
        )}
      </Loaded>
    </RecordSection>
  );
}

function Row({ of }: { of: UpcomingOfContact }) {
  const { id, name, schedule_config: schedule, next_run_at: next, through, channels, problem } = of;
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <Link to="/reminders/$id" params={{ id }} className={`${classes.name} ${classes.whole}`}>
          {name}
        </Link>
        <span className={classes.icons}>
          {channels.map((channel) => (
            <ChannelIcon key={channel} channel={channel} size={16} />
          ))}
        </span>
      </div>
      <span className={classes.note}>
        {next === null ? 'After the event' : <InstantText at={next} zone={schedule.timezone} />}
        {` · ${[scheduleText(schedule), through].filter(Boolean).join(' · ')}`}
      </span>
      {problem !== null && (
        <span className={classes.note} data-tone="waiting">
          {problem}
        </span>
      )}
    </li>
  );
}
