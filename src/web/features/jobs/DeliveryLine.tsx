import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { DeliveryWithTimeline } from '#contract/jobs.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import classes from './DeliveryLedger.module.css';
import { DeliveryMessage } from './DeliveryMessage.tsx';
import { DeliveryTimeline } from './DeliveryTimeline.tsx';

type DeliveryLineProps = {
  delivery: DeliveryWithTimeline;
  /** The name of the channel, where there are several of its type. */
  over: string | null;
};

// The engine's words.
const suppressed = 'The recipient is on the suppression list';

/** One recipient; unfolds into everything that happened to them and what they were sent. */
export function DeliveryLine({ delivery, over }: DeliveryLineProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { channel, recipient, recipient_name, status, attempts, reason, provider_answer } = delivery;
  // The words that go on where a reason ends say it all.
  const isWhole = reason === null || provider_answer?.startsWith(`${reason}: `) === true;
  const said = isWhole ? provider_answer : reason;
  const isTold = isOpen && attempts > 0;
  return (
    <li className={classes.item}>
      <UnstyledButton
        component="button"
        className={classes.line}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={classes.icon}>
          <ChannelIcon channel={channel} />
        </span>
        <span className={classes.who}>
          <span className={classes.name}>{recipient_name ?? recipient}</span>
          {recipient_name && <span className={classes.address}>{recipient}</span>}
        </span>
        <span className={classes.state}>
          <StatusBadge kind="delivery" status={status} />
        </span>
        <span className={classes.facts}>
          {over !== null && <span>over {over}</span>}
          <span>{attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>
          <Moment delivery={delivery} />
        </span>
        <IconChevronDown className={classes.chevron} size={16} stroke={1.8} aria-hidden />
      </UnstyledButton>
      {said && !isTold && (
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

/** The moment that matters now: the next try, the end, or the last attempt. */
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
