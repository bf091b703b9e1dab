import type { DeliveryEvent, DeliveryWithTimeline } from '#contract/deliveries.ts';
import { useChannels } from '#web/api/channels.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import classes from './DeliveryTimeline.module.css';
import { headingOf, instantOf, nextOf, tookText, wordsOf } from './timeline-words.ts';

/** The events of one delivery, oldest first. */
export function DeliveryTimeline({ delivery: { timeline, status } }: { delivery: DeliveryWithTimeline }) {
  if (timeline.length === 0) {
    return (
      <p className={classes.none}>{status === 'queued' ? 'Waits for the rate limit.' : 'Nothing has happened yet.'}</p>
    );
  }
  return (
    <ol className={classes.timeline} aria-label="Timeline">
      {timeline.map((event, at) => (
        <Event key={at} event={event} />
      ))}
    </ol>
  );
}

function Event({ event }: { event: DeliveryEvent }) {
  const at = instantOf(event);
  const next = nextOf(event);
  return (
    <li className={classes.event} data-status={'status' in event ? event.status : undefined}>
      <div className={classes.head}>
        <strong>{headingOf(event)}</strong>
        {event.kind === 'attempt' && <StatusBadge kind="delivery" status={event.status} withIcon={false} />}
        {at !== null && (
          <span className={classes.when}>
            <InstantText at={at} show="second" />
          </span>
        )}
      </div>
      {event.kind === 'attempt' && <Attempt event={event} />}
      {wordsOf(event).map((words) => (
        <p key={words} className={classes.words}>
          {words}
        </p>
      ))}
      {next !== null && (
        <p className={classes.note}>
          Next attempt at <InstantText at={next} show="second" />
        </p>
      )}
    </li>
  );
}

function Attempt({ event }: { event: Extract<DeliveryEvent, { kind: 'attempt' }> }) {
  const channels = useChannels().data;
  const took = tookText(event);
  const { provider, channel_id: id, answered_at } = event;
  const over = channels?.find((channel) => channel.id === id)?.name;
  const by = [over && `over ${over}`, provider && `through ${provider}`].filter(Boolean).join(', ');
  return (
    <p className={classes.note}>
      {answered_at === null ? 'No answer yet' : 'Answered at '}
      {answered_at !== null && <InstantText at={answered_at} show="second" />}
      {took !== null && `, after ${took}`}
      {by !== '' && ` · ${by}`}
    </p>
  );
}
