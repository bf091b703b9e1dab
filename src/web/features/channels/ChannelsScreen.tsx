import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { type Channel, configurableTypes } from '#contract/channels.ts';
import { useChannels } from '#web/api/channels.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { notifyError } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { useAsked } from '#web/ui/use-asked.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { ChannelDialogs, useChannelDialogs } from './ChannelDialogs.tsx';
import { ChannelList } from './ChannelList.tsx';
import { useChannelFilter } from './channel-filter.ts';
import { SendingHoursButton } from './hours/SendingHoursButton.tsx';
import { showToastOfReload } from './toast-after-reload.ts';

const typeChoices = configurableTypes.map((type) => ({ value: type, label: channelLooks[type].name }));

/** The channels of the workspace: configure, test, enable and disable. */
export function ChannelsScreen() {
  const channels = useChannels();
  const filter = useChannelFilter();
  const dialogs = useChannelDialogs();
  const { workspace } = useWorkspace();
  const mayCreate = workspace.role !== 'member';
  useErrorToast(channels.data === undefined ? channels.error : null, { title: 'Error loading channels' });
  useEffect(showToastOfReload, []);

  const add = (type: Channel['type']) => {
    if (mayCreate) dialogs.open({ to: 'add', type });
    else notifyError('Permission denied', 'Only workspace admins can create channels');
  };
  useAsked(filter.asked, () => {
    add(filter.type ?? configurableTypes[0]);
    filter.change({ open: undefined });
  });
  return (
    <>
      <PageHeader
        title="Notification Channels"
        subtitle={
          mayCreate ? 'The servers and providers that send your reminders' : 'Only workspace admins can create channels'
        }
        actions={
          <>
            <SendingHoursButton workspace={workspace} />
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
      <FilterBar
        search={{
          label: 'Search channels...',
          value: filter.search,
          onSearch: (text) => filter.change({ search: text || undefined }),
        }}
        choices={[
          {
            label: 'Filter by type',
            all: 'All Types',
            of: typeChoices,
            width: 140,
            value: filter.type,
            onChoose: (chosen) => filter.change({ type: configurableTypes.find((type) => type === chosen) }),
          },
        ]}
      />
      <ChannelList channels={channels} filter={filter} onAdd={add} onAsk={dialogs.open} />
      <ChannelDialogs state={dialogs.state} close={dialogs.close} />
    </>
  );
}
