import { Button, VisuallyHidden } from '@mantine/core';
import type { ListedEvent } from '#contract/events.ts';
import { useIsWide } from '#web/features/jobs/JobRows.tsx';
import rows from '#web/features/jobs/rows.module.css';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { useFirstRows } from '#web/ui/use-first-rows.ts';
import { EffectText } from './EffectText.tsx';
import classes from './events.module.css';

type RowsProps = {
  events: readonly ListedEvent[];
  /** The filter of the list, in which the jobs of an event open. */
  filter: string | undefined;
  onRepeat: (event: ListedEvent) => void;
};

/** Events as a table on wide screens, else as cards. */
export function EventRows({ events, isStale, ...props }: RowsProps & { isStale: boolean }) {
  const Rows = useIsWide() ? Table : Cards;
  const shown = useFirstRows(events);
  return (
    <div className={rows.rows} data-stale={isStale}>
      <Rows events={shown} {...props} />
    </div>
  );
}

function Table({ events, filter, onRepeat }: RowsProps) {
  return (
    <table className={rows.table}>
      <thead>
        <tr>
          <th style={{ width: '26%' }}>Event</th>
          <th style={{ width: '18%' }}>Reported by</th>
          <th style={{ width: 176 }}>Received</th>
          <th>Set off</th>
          <th style={{ width: 124 }}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <td>
              <Name event={event} />
            </td>
            <td className={rows.quiet}>
              <Source event={event} />
            </td>
            <td>
              <span className={rows.when}>
                <RelativeTime at={event.created_at} />
                <span className={rows.instant}>
                  <InstantText at={event.created_at} />
                </span>
              </span>
            </td>
            <td>
              <EffectText effect={event} within={{ tab: 'events', event: filter }} />
            </td>
            <td>
              <Repeat event={event} onRepeat={onRepeat} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Cards = ({ events, filter, onRepeat }: RowsProps) => (
  <ul className={rows.cards}>
    {events.map((event) => (
      <li key={event.id} className={rows.card}>
        <div className={rows.head}>
          <Source event={event} />
          <RelativeTime at={event.created_at} />
        </div>
        <Name event={event} />
        <div className={rows.facts}>
          <InstantText at={event.created_at} />
        </div>
        <EffectText effect={event} within={{ tab: 'events', event: filter }} />
        <Repeat event={event} onRepeat={onRepeat} />
      </li>
    ))}
  </ul>
);

function Name({ event: { event, key, is_repeat: isRepeat, cancelled_at: cancelledAt } }: { event: ListedEvent }) {
  return (
    <span className={classes.words}>
      <span className={classes.name}>
        <code>{event}</code>
        {isRepeat && <span className={classes.tag}>Sent again</span>}
        {cancelledAt !== null && <span className={classes.tag}>Cancelled</span>}
      </span>
      <span className={classes.key} title={key}>
        {key}
      </span>
    </span>
  );
}

function Source({ event: { source } }: { event: ListedEvent }) {
  if (source.kind === 'hook' && source.id !== null)
    return (
      <span className={classes.words}>
        <span>
          Hook of{' '}
          <TextLink to="/reminders/$id" params={{ id: source.id }}>
            {source.name}
          </TextLink>
        </span>
      </span>
    );
  return <span className={classes.words}>{source.kind === 'api_key' ? `API key ${source.name}` : 'API'}</span>;
}

/** Only what is kept can be sent again. */
const Repeat = ({ event, onRepeat }: { event: ListedEvent; onRepeat: (event: ListedEvent) => void }) =>
  event.can_be_repeated && (
    <Button
      size="compact-sm"
      variant="default"
      className={classes.repeat ?? ''}
      aria-label={`Send again: ${event.event} ${event.key}`}
      onClick={() => onRepeat(event)}
    >
      Send again
    </Button>
  );
