import { Button, VisuallyHidden } from '@mantine/core';
import type { WebhookEvent } from '#contract/webhooks.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { CodeText } from '#web/ui/JsonText.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { eventLooks } from './webhook-words.ts';
import classes from './webhooks.module.css';

type WebhookEventRowProps = {
  event: WebhookEvent;
  isBusy: boolean;
  /** Null where nothing can be sent now. */
  onReplay: (() => void) | null;
};

export function WebhookEventRow({ event, isBusy, onReplay }: WebhookEventRowProps) {
  const { id, type, body, occurred_at: at, status, attempts, answer, next_attempt_at: next } = event;
  return (
    <li className={classes.event}>
      <div className={classes.what}>
        <span className={classes.head}>
          <span className={classes.name}>{type}</span>
          <ToneBadge {...eventLooks[status]} />
        </span>
        <span className={classes.note}>
          <InstantText at={at} show="second" />
          {attempts > 0 && `, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`}
          {status === 'waiting' && attempts > 0 && next !== null && (
            <>
              , next <RelativeTime at={next} />
            </>
          )}
        </span>
        {answer !== null && <span className={classes.answer}>{answer}</span>}
        <details className={classes.body}>
          <summary>
            Show the event<VisuallyHidden> {id}</VisuallyHidden>
          </summary>
          <p className={classes.note}>webhook-id: {id}</p>
          <CodeText label={`Event ${id}`}>{pretty(body)}</CodeText>
        </details>
      </div>
      {onReplay !== null && status !== 'waiting' && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Send again: ${type}`}
          disabled={isBusy}
          onClick={onReplay}
        >
          Send again
        </Button>
      )}
    </li>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
