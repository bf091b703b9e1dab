import { Button } from '@mantine/core';
import type { Webhook } from '#contract/webhooks.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { webhookLook } from './webhook-words.ts';
import classes from './webhooks.module.css';

type WebhookRowProps = {
  webhook: Webhook;
  isBusy: boolean;
  onAsk: (to: 'edit' | 'delete' | 'log') => void;
  onTest: () => void;
  onSetActive: (isActive: boolean) => void;
};

export function WebhookRow({ webhook, isBusy, onAsk, onTest, onSetActive }: WebhookRowProps) {
  const { url, event_types: types, state, waiting, dropped } = webhook;
  const isActive = state === 'active';
  const small = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <li className={classes.row}>
      <span className={classes.what}>
        <span className={classes.head}>
          <span className={classes.name}>{url}</span>
          <ToneBadge {...webhookLook(webhook)} />
        </span>
        <span className={classes.note}>{types.join(', ')}</span>
        <span className={classes.note}>
          <LastAnswer webhook={webhook} />
        </span>
        {waiting > 0 && <span className={classes.note}>{waiting >= 1_000 ? '1,000 or more' : waiting} waiting.</span>}
        {state === 'disabled' && webhook.disabled_at !== null && (
          <span className={classes.problem}>
            Disabled on <InstantText at={webhook.disabled_at} show="day" />, after days without an accepted event.
            Events since then are not recorded.
          </span>
        )}
        {dropped !== null && (
          <span className={classes.problem}>
            {dropped.count.toLocaleString('en')} {dropped.count === 1 ? 'event was' : 'events were'} dropped because too
            many waited, last on <InstantText at={dropped.at} />.
          </span>
        )}
      </span>
      <span className={classes.buttons}>
        <Button {...small} aria-label={`Log of ${url}`} onClick={() => onAsk('log')}>
          Log
        </Button>
        {isActive && (
          <Button {...small} aria-label={`Send a test event to ${url}`} disabled={isBusy} onClick={onTest}>
            Test
          </Button>
        )}
        <Button {...small} aria-label={`Edit ${url}`} onClick={() => onAsk('edit')}>
          Edit
        </Button>
        <Button
          {...small}
          aria-label={`${isActive ? 'Turn off' : 'Enable'} ${url}`}
          disabled={isBusy}
          onClick={() => onSetActive(!isActive)}
        >
          {isActive ? 'Turn off' : 'Enable'}
        </Button>
        <Button {...small} aria-label={`Delete ${url}`} onClick={() => onAsk('delete')}>
          Delete
        </Button>
      </span>
    </li>
  );
}

function LastAnswer({ webhook: { last } }: { webhook: Webhook }) {
  if (last === null) return 'Nothing sent yet.';
  return (
    <>
      Last answer <RelativeTime at={last.at} />: {last.answer ?? last.outcome}
    </>
  );
}
