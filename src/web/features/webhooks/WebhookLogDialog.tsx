import { Button, Flex, Group, Select, Text, VisuallyHidden } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Replay, Webhook, Activity } from '#contract/webhooks.ts';
import { useReplayWebhookActivities, useWebhookActivities } from '#web/api/webhooks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { CodeText } from '#web/ui/JsonText.tsx';
import { List } from '#web/ui/List.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { act } from '#web/ui/act.ts';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';
import { useSubmit } from '#web/ui/use-submit.ts';
import { activityLooks } from './webhook-words.ts';
import classes from './webhooks.module.css';
import { MomentPicker } from '#web/ui/pickers/MomentPicker.tsx';
import { instantOfPicker } from '#web/ui/pickers/picked-instant.ts';

const isStatus = (value: string | null): value is Activity['status'] => value !== null && value in activityLooks;

const statuses = [
  { value: 'all', label: 'All events' },
  ...Object.entries(activityLooks).map(([value, { word }]) => ({ value, label: word })),
];

type WebhookLogDialogProps = { workspaceId: string; webhook: Webhook; opened: boolean; onClose: () => void };

/** The activities of a webhook with their answers; what has ended can be sent again. */
export function WebhookLogDialog({ workspaceId, webhook, opened, onClose }: WebhookLogDialogProps) {
  const [status, setStatus] = useState<Activity['status'] | null>(null);
  const found = useWebhookActivities(workspaceId, { id: webhook.id, status });
  const { mutateAsync, isPending } = useReplayWebhookActivities(workspaceId, webhook.id);
  const canReplay = webhook.state === 'active';
  const replay = (chosen: Replay) =>
    act(mutateAsync(chosen), {
      done: (count) => (count === 1 ? '1 event is sent again' : `${count.toLocaleString('en')} events are sent again`),
      failed: 'Error sending events again',
    });
  return (
    <Dialog title={`Log of ${webhook.url}`} opened={opened} onClose={onClose} width={760}>
      <Group gap="12px 20px" align="flex-start" mb="sm">
        <Select
          aria-label="Status"
          data={statuses}
          allowDeselect={false}
          value={status ?? 'all'}
          onChange={(value) => setStatus(isStatus(value) ? value : null)}
          data-autofocus
        />
        {canReplay && <ReplayRange isBusy={isPending} onReplay={(range) => void replay(range)} />}
      </Group>
      {!canReplay && (
        <Text mb="sm" c="dimmed">
          Enable the webhook to send events again.
        </Text>
      )}
      <List
        isPart
        noun="the log"
        label="Events"
        of={found}
        cardClass={classes.activity}
        card={(activity) => (
          <ActivityRow
            activity={activity}
            onReplay={canReplay ? () => void replay({ activity_id: activity.id }) : null}
            isBusy={isPending}
          />
        )}
        empty={{
          icon: IconListSearch,
          title: status === null ? 'No events yet' : 'No such events',
          sentence: 'The log keeps the latest 2,000 events for 30 days.',
        }}
      />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Dialog>
  );
}

type ActivityRowProps = {
  activity: Activity;
  isBusy: boolean;
  /** Null where nothing can be sent now. */
  onReplay: (() => void) | null;
};

function ActivityRow({ activity, isBusy, onReplay }: ActivityRowProps) {
  const { id, type, body, occurred_at: at, status, attempts, answer, next_attempt_at: next } = activity;
  return (
    <>
      <div className={list.words}>
        <span className={list.title}>
          <span className={list.name}>{type}</span>
          <ToneBadge {...activityLooks[status]} />
        </span>
        <span className={prose.note}>
          <InstantText at={at} show="second" />
          {attempts > 0 && `, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`}
          {status === 'waiting' && attempts > 0 && next !== null && (
            <>
              , next <RelativeTime at={next} />
            </>
          )}
        </span>
        {answer !== null && <span className={prose.note}>{answer}</span>}
        <details className={classes.body}>
          <summary>
            Show the event<VisuallyHidden> {id}</VisuallyHidden>
          </summary>
          <Text className={prose.note}>webhook-id: {id}</Text>
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
    </>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

type ReplayRangeProps = { isBusy: boolean; onReplay: (range: Extract<Replay, { from: string }>) => void };

/** Chooses a time range, in the viewer's own time, whose events are sent again. */
function ReplayRange({ isBusy, onReplay }: ReplayRangeProps) {
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = useSubmit(async () => {
    if (from === null || to === null) return setProblem('Enter both times');
    if (from >= to) return setProblem('Must be after the beginning');
    onReplay({ from: instantOfPicker(from), to: instantOfPicker(to) });
  });
  const change = (set: (moment: string | null) => void) => (moment: string | null) => {
    set(moment);
    setProblem(null);
  };
  return (
    <details className={classes.range}>
      <summary>Send a time range again</summary>
      <Flex noValidate component="form" gap="sm" align="flex-end" wrap="wrap" onSubmit={submit}>
        <MomentPicker label="From" value={from} onChange={change(setFrom)} />
        <MomentPicker label="To" value={to} error={problem} onChange={change(setTo)} />
        <Button type="submit" variant="default" loading={isBusy}>
          Send events again
        </Button>
      </Flex>
    </details>
  );
}
