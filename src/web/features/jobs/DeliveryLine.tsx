import { useId, useState } from 'react';
import type { DeliveryWithTimeline } from '#contract/jobs.ts';
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
};

// This text matches the engine's reason.
const suppressed = 'The recipient is on the suppression list';

/** A delivery; expands to its timeline and its message. */
export function DeliveryLine({ delivery, over }: DeliveryLineProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { channel, recipient, status, attempts, reason, provider_answer } = delivery;
  // A provider answer that starts with the reason replaces it.
  const isWhole = reason === null || provider_answer?.startsWith(`${reason}: `) === true;
  const said = isWhole ? provider_answer : reason;
  const showsTimeline = isOpen && attempts > 0;
  return (
    <li className={classes.item}>
      <RecipientButton
        of={delivery}
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
      {said && !showsTimeline && (
        <div className={classes.said} data-tone={status === 'failed' || status === 'unknown' ? 'bad' : 'quiet'}>
          {said}{' '}
          {said === suppressed && (
            <TextLink to="/contacts" search={{ tab: 'suppressed', search: recipient }} size="sm">
              See why
            </TextLink>
          )}
          {!isWhole && provider_answer && provider_answer !== reason && <code>{provider_answer}</code>}
        </div>
      )}
      <div id={id} hidden={!isOpen} className={classes.details}>
        {isOpen && (
          <>
            <DeliveryTimeline delivery={delivery} />
            <DeliveryMessage jobId={delivery.job_id} to={{ channel, recipient, isSent: delivery.provider !== null }} />
          </>
        )}
      </div>
    </li>
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
