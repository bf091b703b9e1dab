import { Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { type Webhook, webhookLimits } from '#contract/webhooks.ts';
import { useProfile } from '#web/api/profile.ts';
import { useTestWebhook, useUpdateWebhook, useWebhooks } from '#web/api/webhooks.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { DeleteWebhookDialog } from './DeleteWebhookDialog.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookLogDialog } from './WebhookLogDialog.tsx';
import { WebhookRow } from './WebhookRow.tsx';
import classes from './webhooks.module.css';

type Asked = { to: 'add' } | { to: 'edit' | 'delete' | 'log'; webhook: Webhook };

/** The webhooks of a workspace, for its owners and admins. */
export default function Webhooks({ workspaceId }: { workspaceId: string }) {
  const found = useWebhooks(workspaceId);
  const update = useUpdateWebhook(workspaceId);
  const test = useTestWebhook(workspaceId);
  const { state, open, close } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const dialog = { workspaceId, opened: state.isOpen, onClose: () => close(openCount) };
  const isDemo = useProfile().data?.is_demo === true;
  const isFull = (found.data?.length ?? 0) >= webhookLimits.webhooks;

  const setActive = async ({ id }: Webhook, isActive: boolean) => {
    try {
      await update.mutateAsync({ id, is_active: isActive });
      notifySuccess(isActive ? 'Webhook enabled' : 'Webhook turned off');
    } catch (error) {
      notifyFailure('Error changing the webhook', error);
    }
  };
  const sendTest = async (webhook: Webhook) => {
    try {
      await test.mutateAsync(webhook.id);
      open({ to: 'log', webhook });
    } catch (error) {
      notifyFailure('Error sending the test event', error);
    }
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
        <p className={classes.text}>
          What happens in this workspace is sent to your URLs as JSON, each event under one <code>webhook-id</code>, and
          signed with the secret of this workspace in{' '}
          <TextLink to="/api-docs" search={{ tab: 'authentication' }}>
            API Docs, Authentication
          </TextLink>
          .{isFull && ` A workspace has at most ${webhookLimits.webhooks}.`}
          {isDemo && ' The demo sends nothing outside: sign up to add one.'}
        </p>
        <Loaded of={found} failed="Error loading webhooks">
          {(all) =>
            all.length === 0 ? (
              <EmptyState
                icon={IconWebhook}
                title="No webhooks yet"
                sentence="Add a URL of your own program to hear of failed messages, ended jobs and people who unsubscribe."
              />
            ) : (
              <ul className={classes.rows} aria-label="Webhooks">
                {all.map((webhook) => (
                  <WebhookRow
                    key={webhook.id}
                    webhook={webhook}
                    isBusy={update.isPending || test.isPending}
                    onAsk={(to) => open({ to, webhook })}
                    onTest={() => void sendTest(webhook)}
                    onSetActive={(isActive) => void setActive(webhook, isActive)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </RecordSection>
      {asked?.to === 'add' && <WebhookDialog key={openCount} webhook={null} {...dialog} />}
      {asked?.to === 'edit' && <WebhookDialog key={openCount} webhook={asked.webhook} {...dialog} />}
      {asked?.to === 'delete' && <DeleteWebhookDialog key={openCount} webhook={asked.webhook} {...dialog} />}
      {asked?.to === 'log' && <WebhookLogDialog key={openCount} webhook={asked.webhook} {...dialog} />}
    </>
  );
}
