import { Link } from '@tanstack/react-router';
import type { AgendaEntry } from '#contract/agenda.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { InstantText, momentText } from '#web/ui/InstantText.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { addresseesText } from './agenda-words.ts';
import classes from './agenda.module.css';

/** Occurrences, each in a line: when, what, over which channels, to whom. */
export const EntryList = ({ entries, label }: { entries: readonly AgendaEntry[]; label: string }) => (
  <ul aria-label={label}>
    {entries.map((entry) => (
      <li key={`${entry.id} ${entry.at}`} className={classes.row}>
        <time
          className={classes.time}
          dateTime={entry.at}
          data-hint={`${momentText(entry.at, viewerZone())} your time (${viewerZone()})`}
        >
          {clockText(entry.at)}
        </time>
        <div className={classes.what}>
          <Name entry={entry} />
          <Note entry={entry} />
        </div>
        {entry.is_paused && <ToneBadge tone="waiting" word="Paused" />}
        <span className={classes.channels}>
          {entry.channels.map((channel) => (
            <ChannelIcon key={channel} channel={channel} size={16} />
          ))}
        </span>
        <span className={classes.who}>{addresseesText(entry)}</span>
      </li>
    ))}
  </ul>
);

/** A reminder's page says more of it than the job that does not run yet. */
const Name = ({ entry: { name, reminder_id: id, job_id: job } }: { entry: AgendaEntry }) =>
  id === null ? (
    <Link className={classes.name} to="/jobs" search={{ job: job ?? undefined }} title={name}>
      {name}
    </Link>
  ) : (
    <Link className={classes.name} to="/reminders/$id" params={{ id }} title={name}>
      {name}
    </Link>
  );

function Note({ entry: { at, due_at: due, timezone, type, is_paused: isPaused } }: { entry: AgendaEntry }) {
  const isElsewhere = timezone !== null && timezone !== viewerZone();
  const waits = due !== at;
  if (!isElsewhere && !waits && !isPaused && type === 'reminder') return null;
  return (
    <span className={classes.note}>
      {type === 'event_reminder' && <span>Planned by an event</span>}
      {type === 'api_notification' && <span>Planned by the API</span>}
      {isElsewhere && (
        <span>
          <InstantText at={due} zone={timezone} />
        </span>
      )}
      {waits && (
        <span>
          due <InstantText at={due} />, waits until the sending hours open
        </span>
      )}
      {isPaused && <span>waits until somebody resumes it</span>}
    </span>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: viewerZone() });
const clockText = (at: string) => clock.format(new Date(at));
