import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { type Channel, configurableTypes } from '#contract/channels.ts';
import { useChannels } from '#web/api/channels.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { notifyError, notifyFailure } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { ChannelDialogs, useChannelDialogs } from './ChannelDialogs.tsx';
import { ChannelFilterBar } from './ChannelFilterBar.tsx';
import { ChannelList } from './ChannelList.tsx';
import { useChannelFilter } from './channel-filter.ts';
import { SendingHoursButton } from './hours/SendingHoursButton.tsx';
import { showToastOfReload } from './toast-after-reload.ts';

/** The ways out of the workspace: configured, tested, switched on and off. */
export function ChannelsScreen() {
  const channels = useChannels();
  const filter = useChannelFilter();
  const dialogs = useChannelDialogs();
  const mayCreate = useWorkspace().workspace.role !== 'member';
  useEffect(() => {
    if (channels.error) notifyFailure('Error loading channels', channels.error);
  }, [channels.error]);
  useEffect(showToastOfReload, []);

  const add = (type: Channel['type']) => {
    if (mayCreate) dialogs.open({ to: 'add', type });
    else notifyError('Permission denied', 'Only workspace admins can create channels');
  };
  return (
    <>
      <PageHeader
        title="Notification Channels"
        subtitle={
          mayCreate
            ? 'The servers and providers through which your reminders go out'
            : 'Only workspace admins can create channels'
        }
        actions={
          <>
            <SendingHoursButton />
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={!mayCreate}
              onClick={() => add(filter.type ?? configurableTypes[0])}
            >
              Add Channel
            </Button>
          </>
        }
      />
      <ChannelFilterBar filter={filter} />
      <ChannelList channels={channels} filter={filter} onAdd={add} onAsk={dialogs.open} />
      <ChannelDialogs state={dialogs.state} close={dialogs.close} />
    </>
  );
}
