import { Button, Select } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Replay, Webhook, WebhookEvent } from '#contract/webhooks.ts';
import { useReplayWebhookEvents, useWebhookEvents } from '#web/api/webhooks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { ReplayRange } from './ReplayRange.tsx';
import { eventLooks } from './webhook-words.ts';
import { WebhookEventRow } from './WebhookEventRow.tsx';
import classes from './webhooks.module.css';

const isStatus = (value: string | null): value is WebhookEvent['status'] => value !== null && value in eventLooks;

const statuses = [
  { value: 'all', label: 'All events' },
  ...Object.entries(eventLooks).map(([value, { word }]) => ({ value, label: word })),
];

type WebhookLogDialogProps = { workspaceId: string; webhook: Webhook; opened: boolean; onClose: () => void };

/** The events of a webhook with their answers; what has ended can be sent again. */
export function WebhookLogDialog({ workspaceId, webhook, opened, onClose }: WebhookLogDialogProps) {
  const [status, setStatus] = useState<WebhookEvent['status'] | null>(null);
  const found = useWebhookEvents(workspaceId, { id: webhook.id, status });
  const { mutateAsync, isPending } = useReplayWebhookEvents(workspaceId, webhook.id);
  const canReplay = webhook.state === 'active';
  const replay = async (chosen: Replay) => {
    try {
      const count = await mutateAsync(chosen);
      notifySuccess(count === 1 ? '1 event is sent again' : `${count.toLocaleString('en')} events are sent again`);
    } catch (error) {
      notifyFailure('Error sending events again', error);
    }
  };
  return (
    <Dialog title={`Log of ${webhook.url}`} opened={opened} onClose={onClose} width={760}>
      <div className={classes.filter}>
        <Select
          aria-label="Status"
          data={statuses}
          allowDeselect={false}
          value={status ?? 'all'}
          onChange={(value) => setStatus(isStatus(value) ? value : null)}
          data-autofocus
        />
        {canReplay && <ReplayRange isBusy={isPending} onReplay={(range) => void replay(range)} />}
      </div>
      {!canReplay && <p className={classes.plain}>Enable the webhook to send events again.</p>}
      <Loaded of={found} failed="Error loading the log">
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              icon={IconListSearch}
              title={status === null ? 'No events yet' : 'No such events'}
              sentence="The log keeps the latest 2,000 events for 30 days."
            />
          ) : (
            <>
              <ul className={classes.log} aria-label="Events">
                {all.map((event) => (
                  <WebhookEventRow
                    key={event.id}
                    event={event}
                    onReplay={canReplay ? () => void replay({ event_id: event.id }) : null}
                    isBusy={isPending}
                  />
                ))}
              </ul>
              <LoadMore of={found} />
            </>
          )
        }
      </Loaded>
      <div className={classes.close}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
