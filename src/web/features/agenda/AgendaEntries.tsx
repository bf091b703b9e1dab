import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AgendaEntry } from '#contract/agenda-entry.ts';
import { counted } from '#domain/in-words.ts';
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
          {isDue(entry) ? 'Now' : clockText(entry.at)}
        </time>
        <div className={classes.what}>
          <Name entry={entry} />
          <Note entry={entry} />
        </div>
        {badges[entry.state]}
        {entry.exclusion !== null && exclusionBadges[entry.exclusion]}
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

const badges: Record<AgendaEntry['state'], ReactNode> = {
  scheduled: null,
  paused: <ToneBadge tone="waiting" word="Paused" />,
  waiting: <ToneBadge tone="waiting" word="Waiting" />,
  running: <ToneBadge tone="moving" word="Running" />,
};

/** Of the person by whom the agenda is filtered. */
const exclusionBadges: Record<NonNullable<AgendaEntry['exclusion']>, ReactNode> = {
  skipped: <ToneBadge tone="quiet" word="Skipped for them" />,
  paused: <ToneBadge tone="quiet" word="Paused for them" />,
};

/** A reminder's page says more of it than the job that does not run yet. */
const Name = ({ entry: { name, reminder_id: id, job_id: job, state } }: { entry: AgendaEntry }) =>
  id === null || state === 'waiting' || state === 'running' ? (
    <Link className={classes.name} to="/jobs" search={{ job: job ?? undefined }} title={name}>
      {name}
    </Link>
  ) : (
    <Link className={classes.name} to="/reminders/$id" params={{ id }} title={name}>
      {name}
    </Link>
  );

function Note({ entry }: { entry: AgendaEntry }) {
  const { at, due_at: due, timezone, type, state, waiting } = entry;
  const isElsewhere = timezone !== null && timezone !== viewerZone();
  const isDeferred = due !== at && (state === 'scheduled' || state === 'paused') && !isDue(entry);
  const hasBegun = state === 'waiting' || state === 'running' || isDue(entry);
  if (!isElsewhere && !isDeferred && !hasBegun && state === 'scheduled' && type === 'reminder') return null;
  return (
    <span className={classes.note}>
      {type === 'event_reminder' && <span>Planned by an event</span>}
      {type === 'api_notification' && <span>Planned by the API</span>}
      {isElsewhere && (
        <span>
          <InstantText at={due} zone={timezone} />
        </span>
      )}
      {isDeferred && (
        <span>
          due <InstantText at={due} />, waits until the sending hours open
        </span>
      )}
      {hasBegun && (
        <span>
          due <InstantText at={due} />
        </span>
      )}
      {state === 'waiting' && (
        <span>
          {waiting === null || waiting === 0
            ? 'waits'
            : `${counted(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'}`}{' '}
          for another attempt or for sending hours
        </span>
      )}
      {state === 'paused' && <span>waits until somebody resumes it</span>}
    </span>
  );
}

/** Whether its time has come: it is being sent, or waits for its turn. */
const isDue = ({ at }: AgendaEntry) => Date.parse(at) <= Date.now();

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: viewerZone() });
const clockText = (at: string) => clock.format(new Date(at));
