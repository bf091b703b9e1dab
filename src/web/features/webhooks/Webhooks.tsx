import { Box, Button, Text } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { type Webhook, webhookLimits } from '#contract/webhooks.ts';
import { useProfile } from '#web/api/profile.ts';
import { useDeleteWebhook, useTestWebhook, useUpdateWebhook, useWebhooks } from '#web/api/webhooks.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { act } from '#web/ui/act.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import list from '#web/ui/list.module.css';
import { TextLink } from '#web/ui/links.tsx';
import prose from '#web/ui/prose.module.css';
import { RecordSection } from '#web/ui/Record.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookLogDialog } from './WebhookLogDialog.tsx';
import { webhookLook } from './webhook-words.ts';

type Asked = { to: 'add' } | { to: 'edit' | 'delete' | 'log'; webhook: Webhook };

/** The webhooks of a workspace, for its owners and admins. */
export default function Webhooks({ workspaceId }: { workspaceId: string }) {
  const found = useWebhooks(workspaceId);
  const update = useUpdateWebhook(workspaceId);
  const test = useTestWebhook(workspaceId);
  const { state, dialog: shown, open } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const dialog = { workspaceId, ...shown };
  const isDemo = useProfile().data?.is_demo === true;
  const isFull = (found.data?.length ?? 0) >= webhookLimits.webhooks;

  const setActive = ({ id }: Webhook, isActive: boolean) =>
    act(update.mutateAsync({ id, is_active: isActive }), {
      done: isActive ? 'Webhook enabled' : 'Webhook turned off',
      failed: 'Error changing the webhook',
    });
  const sendTest = async (webhook: Webhook) => {
    if (await act(test.mutateAsync(webhook.id), { failed: 'Error sending the test event' }))
      open({ to: 'log', webhook });
  };

  return (
    <>
      <RecordSection
        title="Webhooks"
        aside={
          <Button
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={isFull || isDemo}
            onClick={() => open({ to: 'add' })}
          >
            Add webhook
          </Button>
        }
      >
        <Text px="var(--gutter)" pb={14} c="dimmed">
          What happens in this workspace is sent to your URLs as JSON, each event under one <code>webhook-id</code>, and
          signed with the secret of this workspace in{' '}
          <TextLink to="/api-docs" search={{ tab: 'authentication' }} td="underline">
            API Docs, Authentication
          </TextLink>
          .{isFull && ` A workspace has at most ${webhookLimits.webhooks}.`}
          {isDemo && ' The demo sends nothing outside: sign up to add one.'}
        </Text>
        <List
          isPart
          noun="webhooks"
          of={found}
          cardClass={list.entry}
          card={(webhook) => (
            <Row
              webhook={webhook}
              isBusy={update.isPending || test.isPending}
              onAsk={(to) => open({ to, webhook })}
              onTest={() => void sendTest(webhook)}
              onSetActive={(isActive) => void setActive(webhook, isActive)}
            />
          )}
          empty={{
            icon: IconWebhook,
            title: 'No webhooks yet',
            sentence:
              'Add a URL of your own program to hear of failed messages, ended jobs and people who unsubscribe.',
          }}
        />
      </RecordSection>
      {asked?.to === 'add' && <WebhookDialog key={openCount} webhook={null} {...dialog} />}
      {asked?.to === 'edit' && <WebhookDialog key={openCount} webhook={asked.webhook} {...dialog} />}
      {asked?.to === 'delete' && <DeleteDialog key={openCount} webhook={asked.webhook} {...dialog} />}
      {asked?.to === 'log' && <WebhookLogDialog key={openCount} webhook={asked.webhook} {...dialog} />}
    </>
  );
}

type RowProps = {
  webhook: Webhook;
  isBusy: boolean;
  onAsk: (to: 'edit' | 'delete' | 'log') => void;
  onTest: () => void;
  onSetActive: (isActive: boolean) => void;
};

function Row({ webhook, isBusy, onAsk, onTest, onSetActive }: RowProps) {
  const { url, activity_types: types, state, waiting, dropped } = webhook;
  const isActive = state === 'active';
  const small = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <>
      <span className={list.words}>
        <span className={list.title}>
          <span className={list.name}>{url}</span>
          <ToneBadge {...webhookLook(webhook)} />
        </span>
        <span className={prose.note}>{types.join(', ')}</span>
        <span className={prose.note}>
          <LastAnswer webhook={webhook} />
        </span>
        {waiting > 0 && <span className={prose.note}>{waiting >= 1_000 ? '1,000 or more' : waiting} waiting.</span>}
        {state === 'disabled' && webhook.disabled_at !== null && (
          <Box component="span" fz={13} c="var(--status-bad)">
            Disabled on <InstantText at={webhook.disabled_at} show="day" />, after days without an accepted event.
            Events since then are not recorded.
          </Box>
        )}
        {dropped !== null && (
          <Box component="span" fz={13} c="var(--status-bad)">
            {dropped.count.toLocaleString('en')} {dropped.count === 1 ? 'event was' : 'events were'} dropped because too
            many waited, last on <InstantText at={dropped.at} />.
          </Box>
        )}
      </span>
      <span className={prose.actions}>
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
    </>
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

type DeleteDialogProps = { workspaceId: string; webhook: Webhook; opened: boolean; onClose: () => void };

function DeleteDialog({ workspaceId, webhook: { id, url }, ...dialog }: DeleteDialogProps) {
  const { mutateAsync } = useDeleteWebhook(workspaceId);
  return (
    <ActDialog
      title={`Delete the webhook to ${url}?`}
      confirmLabel="Delete webhook"
      run={() => mutateAsync(id)}
      done="Webhook deleted"
      failed="Error deleting the webhook"
      removesOpener
      {...dialog}
    >
      Its log goes with it, and events that wait are not sent. This cannot be undone.
    </ActDialog>
  );
}
