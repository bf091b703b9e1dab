import { type ReactNode, useId, useState } from 'react';
import type { DeliveryWithTimeline } from '#contract/deliveries.ts';
import { explain } from '#domain/delivery-problems.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import classes from './DeliveryLedger.module.css';
import { DeliveryMessage } from './DeliveryMessage.tsx';
import { DeliveryTimeline } from './DeliveryTimeline.tsx';
import { RecipientButton } from './RecipientButton.tsx';

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
      {problem === 'suppressed' ? (
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
  delivery: { status, next_attempt_at, completed_at, last_attempt_at },
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
  const at = completed_at ?? last_attempt_at;
  return at && <InstantText at={at} />;
}
