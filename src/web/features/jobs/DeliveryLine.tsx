import { Group, Text } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import type { DeliveryEvent, DeliveryWithTimeline } from '#contract/deliveries.ts';
import { isSkipForRecipient } from '#domain/may-be-sent.ts';
import { explain } from '#domain/delivery-problems.ts';
import { useChannels } from '#web/api/channels.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { StatusBadge, statusTone } from '#web/ui/StatusBadge.tsx';
import { TextLink } from '#web/ui/links.tsx';
import classes from './DeliveryLedger.module.css';
import { DeliveryMessage } from './DeliveryMessage.tsx';
import { RecipientButton } from './RecipientButton.tsx';
import { headingOf, instantOf, nextOf, tookText, wordsOf } from './timeline-words.ts';

type DeliveryLineProps = {
  delivery: DeliveryWithTimeline;
  /** The name of the channel, when there are several of its type. */
  over: string | null;
  /** What it is called in place of the recipient's name. */
  title?: string;
  /** Below the message. */
  children?: ReactNode;
};

/** A delivery; expands to its timeline and its message. */
export function DeliveryLine({ delivery, over, title, children }: DeliveryLineProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { channel, recipient, status, attempts } = delivery;
  const showsTimeline = isOpen && attempts > 0;
  return (
    <li className={classes.item}>
      <RecipientButton
        of={title === undefined ? delivery : { ...delivery, recipient_name: title }}
        className={classes.line}
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
        controls={id}
      >
        <span className={classes.state}>
          <StatusBadge kind="delivery" status={status} />
        </span>
        <span className={classes.facts}>
          {over !== null && <span>over {over}</span>}
          {delivery.by_preference && <span>by preference</span>}
          <span>{attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>
          <Moment delivery={delivery} />
        </span>
      </RecipientButton>
      {!showsTimeline && <Explained delivery={delivery} />}
      <div id={id} hidden={!isOpen} className={classes.details}>
        {isOpen && (
          <>
            <DeliveryTimeline delivery={delivery} />
            <DeliveryMessage jobId={delivery.job_id} to={{ channel, recipient, isSent: delivery.provider !== null }} />
            <TextLink
              to="/jobs/$id/report"
              params={{ id: delivery.job_id }}
              search={delivery.contact_id === null ? { recipient } : { contact: delivery.contact_id }}
              size="sm"
            >
              Report for this person
            </TextLink>
            {children}
          </>
        )}
      </div>
    </li>
  );
}

/** What happened in a plain sentence, with the provider's words behind Details; or the product's own reason. */
function Explained({ delivery }: { delivery: DeliveryWithTimeline }) {
  const { status, recipient, reason, provider_answer: answer } = delivery;
  const explained = explain(delivery);
  const tone = status === 'failed' || status === 'unknown' ? 'bad' : 'quiet';
  if (explained === null) {
    const said = reason ?? answer;
    return said ? (
      <div className={classes.said} data-tone={tone}>
        {said}
      </div>
    ) : null;
  }
  const { problem, sentence, details } = explained;
  return (
    <div className={classes.said} data-tone={tone}>
      <span>{sentence}</span>
      {isSkipForRecipient(problem) ? (
        <>
          {' '}
          <TextLink to="/contacts" search={{ tab: 'suppressed', search: recipient }} size="sm">
            See why
          </TextLink>
        </>
      ) : (
        details.length > 0 && (
          <details>
            <summary>Details</summary>
            {details.map((words) => (
              <code key={words}>{words}</code>
            ))}
          </details>
        )
      )}
    </div>
  );
}

/** The most relevant time: the next attempt, the end, or the last attempt. */
function Moment({
  delivery: { status, attempts, next_attempt_at, completed_at, last_attempt_at },
}: {
  delivery: DeliveryWithTimeline;
}) {
  if (status === 'waiting' && next_attempt_at) {
    return (
      <span>
        next <RelativeTime at={next_attempt_at} />
      </span>
    );
  }
  // After a retry the last attempt is one of the run before it, which the timeline tells.
  const at = completed_at ?? (attempts === 0 ? null : last_attempt_at);
  return at && <InstantText at={at} />;
}

/** The events of one delivery, oldest first. */
function DeliveryTimeline({ delivery: { timeline, status } }: { delivery: DeliveryWithTimeline }) {
  if (timeline.length === 0) {
    return (
      <p className={classes.deliveryTimelineNone}>
        {status === 'queued' ? 'Waits for the rate limit.' : 'Nothing has happened yet.'}
      </p>
    );
  }
  return (
    <ol aria-label="Timeline">
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
    <li className={classes.event} data-tone={'status' in event ? statusTone('delivery', event.status) : undefined}>
      <Group gap="2px 8px" lh="1.25rem">
        <strong>{headingOf(event)}</strong>
        {event.kind === 'attempt' && <StatusBadge kind="delivery" status={event.status} withIcon={false} />}
        {at !== null && (
          <Text span ml="auto" fz="xs" c="dimmed">
            <InstantText at={at} show="second" />
          </Text>
        )}
      </Group>
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
